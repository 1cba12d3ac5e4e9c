internal import Synchronization

/// A step that is done again and again, whose failures are told when their reason changes.
final class Attempts: Sendable {
    private let what: String
    private let told = LastReason()

    /// - Parameter what: Completes "error cannot …".
    init(_ what: String) {
        self.what = what
    }

    func once(_ step: () async throws -> Void) async {
        do {
            try await step()
            told.clear()
        } catch {
            let reason = String(describing: error)
            if told.isNew(reason) { Log.error(.monitor, "cannot \(what): \(reason); trying again") }
        }
    }
}

/// The reason that was told last, so that one which stays is told once.
final class LastReason: Sendable {
    private let last = Mutex<String?>(nil)

    /// Whether it differs from the last one, which it then is.
    func isNew(_ reason: String) -> Bool {
        last.withLock { last in
            defer { last = reason }
            return last != reason
        }
    }

    func clear() { last.withLock { $0 = nil } }
}
