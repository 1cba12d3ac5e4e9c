package import PinwatchCore

/// Whether a channel is worth trying now. A dead receiver with many deliveries waiting gets one try per pause, not one
/// per delivery. Kept in memory: after a restart one more try is made, and the stored times still hold.
package struct Circuit: Sendable, Hashable {
    /// Failures in a row that open the circuit.
    package static let threshold = 5
    /// The pause after the threshold, doubled by each failed trial up to ``longestPauseSeconds``.
    package static let firstPauseSeconds: Int64 = 30
    package static let longestPauseSeconds: Int64 = 600

    /// Failed tries since the last success.
    package private(set) var failures = 0
    /// No try before this; `nil` while the circuit is closed.
    package private(set) var pausedUntil: Instant?

    package init() {}

    package func isOpen(at now: Instant) -> Bool {
        pausedUntil.map { now < $0 } ?? false
    }

    package mutating func succeeded() {
        self = Circuit()
    }

    /// - Parameter retryAfter: What the receiver asked for. It is a wish of the whole channel, so it pauses at once,
    ///   the threshold reached or not.
    package mutating func failed(at now: Instant, retryAfter: RetryAfter?) {
        failures += 1
        let doublings = failures - Self.threshold
        let pause =
            doublings < 0 ? 0 : min(Self.firstPauseSeconds << min(Int64(doublings), 6), Self.longestPauseSeconds)
        let longest = max(pause, retryAfter?.seconds ?? 0)
        pausedUntil = longest > 0 ? now + longest : nil
    }
}
