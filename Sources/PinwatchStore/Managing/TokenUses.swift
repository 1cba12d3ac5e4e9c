internal import PinwatchCore
internal import Synchronization

/// When each token's use was last written down, so that a request does not write.
final class TokenUses: Sendable {
    private static let everySeconds: Int64 = 60

    private let written = Mutex<[Int64: Instant]>([:])

    /// Whether a use is to be written; counts as written then. A clock that was set back writes.
    func isDue(_ token: Int64, at now: Instant) -> Bool {
        written.withLock { written in
            if let last = written[token], (0..<Self.everySeconds).contains(now.seconds(since: last)) { return false }
            written[token] = now
            return true
        }
    }
}
