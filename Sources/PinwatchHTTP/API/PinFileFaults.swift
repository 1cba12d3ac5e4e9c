internal import PinwatchCore

extension ServiceContext {
    /// Has the room that knows formats do something, and gives each of its refusals an answer.
    ///
    /// - Parameter what: What cannot be used where there are faults, as the rest of "… cannot be used; see errors."
    /// - Throws: A ``Problem`` 422 with the faults, 503 while too much is being read.
    func files<Result: Sendable>(
        _ what: String, _ work: (any PinFiles) async throws(PinFilesRefusal) -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await work(pinFiles)
        } catch {
            throw Problem(error, what)
        }
    }
}

extension Problem {
    /// Faults of one file that are told; of more the first are enough to go on with.
    private static let shownFaults = 100

    init(_ refusal: PinFilesRefusal, _ what: String) {
        switch refusal {
        case .faults(let faults):
            self.init(
                422, "\(what) cannot be used; see errors.",
                errors: faults.problems.prefix(Self.shownFaults).map { problem in
                    let place = problem.mark.map { ":\($0.line):\($0.column)" } ?? ""
                    return .init(field: problem.file + place, message: problem.message)
                })
        case .busy:
            self.init(
                503,
                "The service is busy reading other files, or these take too long. Try again in a moment, or with fewer files.",
                headers: [.init("Retry-After", "5")])
        }
    }
}
