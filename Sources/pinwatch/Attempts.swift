internal import Synchronization

/// A step that is done again and again, whose failures are told when their reason changes.
final class Attempts: Sendable {
    private let what: String
    private let told = Mutex<String?>(nil)

    /// - Parameter what: Completes "error cannot …".
    init(_ what: String) {
        self.what = what
    }

    func once(_ step: () async throws -> Void) async {
        do {
            try await step()
            told.withLock { $0 = nil }
        } catch {
            let reason = String(describing: error)
            let isNew = told.withLock { told in
                defer { told = reason }
                return told != reason
            }
            if isNew { Terminal.log("error cannot \(what): \(reason); trying again", at: Machine.now()) }
        }
    }
}
