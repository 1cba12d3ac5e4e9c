package import PinwatchCore

/// Whether a channel is worth trying now. A dead receiver with many deliveries waiting gets one try per pause, not one
/// per delivery. Kept in memory: after a restart one more try is made, and the stored times still hold.
///
/// Only what speaks of the receiver counts. One delivery that fails again and again speaks of itself, and its own
/// schedule holds it back far enough; so the circuit opens once two deliveries have failed, and a delivery that the
/// receiver turns down counts once. Once it is open, a message that is turned down at least says that the receiver is
/// there: the pauses grow no longer by it, so that many such messages hold up the others for moments only.
package struct Circuit: Sendable, Hashable {
    /// Failures that open the circuit.
    package static let threshold = 5
    /// The pause after the threshold, doubled by each failed trial up to ``longestPauseSeconds``.
    package static let firstPauseSeconds: Int64 = 30
    package static let longestPauseSeconds: Int64 = 600

    /// A time of no tries.
    private struct Pause: Hashable {
        let from: Instant
        let end: Instant
    }

    /// Failed tries since the last success.
    package private(set) var failures = 0
    /// Those of them that count.
    private var counted = 0
    /// Deliveries that failed since the last success, up to the first pause; so at most ``threshold``, and one more.
    private var failed: Set<Int64> = []
    /// Pauses in a row. Above zero every try is a trial, and another pause follows if it fails.
    private var pauses = 0
    private var pause: Pause?

    package init() {}

    /// No try before this; `nil` while the circuit is closed.
    package var pausedUntil: Instant? { pause?.end }

    /// Whether the next try decides if the receiver is left alone again.
    package var isOnTrial: Bool { pauses > 0 }

    /// A time before the pause began means that the clock was set back; then nobody knows how much of it is over, and
    /// it counts as over.
    package func isOpen(at now: Instant) -> Bool {
        pause.map { $0.from <= now && now < $0.end } ?? false
    }

    package mutating func succeeded() {
        self = Circuit()
    }

    /// - Parameters:
    ///   - delivery: The store's number of what was tried.
    ///   - isTurnedDown: Whether the receiver answered that this message will not do; see ``turnsDown(status:)``.
    ///   - retryAfter: What the receiver asked for. It is a wish of the whole channel, so it pauses at once, the
    ///     threshold reached or not; unless the message was turned down, for then it is about that message.
    /// - Returns: Whether the receiver was worth trying before, and is not now.
    package mutating func failed(
        _ delivery: Int64, isTurnedDown: Bool, at now: Instant, retryAfter: RetryAfter?
    ) -> Bool {
        failures += 1
        let isFirst = pauses == 0 && failed.insert(delivery).inserted
        if isFirst || !isTurnedDown { counted += 1 }
        let opens = pauses == 0 && counted >= Self.threshold && failed.count > 1
        var seconds: Int64 = isTurnedDown ? 0 : retryAfter?.seconds ?? 0
        if opens || pauses > 0 {
            if opens || !isTurnedDown { pauses += 1 }
            let pause = Self.firstPauseSeconds << min(Int64(pauses - 1), 6)
            seconds = max(seconds, min(pause, Self.longestPauseSeconds))
        }
        pause = seconds > 0 ? Pause(from: now, end: now + seconds) : nil
        return opens
    }

    /// A try that somebody asked for in a pause, and that failed: the pause stays as it is.
    package mutating func failedInPause() {
        failures += 1
    }

    /// Whether a status says something of the message rather than of the receiver: a 4xx other than the four that ask
    /// for patience or speak of the place (RFC 9110 section 15.5, RFC 6585 section 4, RFC 8470 section 5.2).
    package static func turnsDown(status: Int) -> Bool {
        switch status {
        case 408, 410, 425, 429: false
        default: (400...499).contains(status)
        }
    }
}
