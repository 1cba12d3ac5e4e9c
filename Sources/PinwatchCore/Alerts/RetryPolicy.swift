/// When a delivery is tried again, and when it is given up: the schedule of the contract's section 6.
package enum RetryPolicy {
    /// Seconds to wait after the first, second … failed try; the last repeats until ``lifetimeSeconds`` are over.
    package static let delays: [Int64] = [5, 30, 120, 600, 3_600]
    /// How long after its making a message is still tried.
    package static let lifetimeSeconds: Int64 = 3 * 86_400

    /// What a try leads to.
    ///
    /// Anything but 2xx and 410 is worth another try, redirects and 4xx included: receivers answer those while they are
    /// being deployed or moved, and an alert must outlive that.
    ///
    /// - Parameters:
    ///   - status: The HTTP status; `nil` where no answer came.
    ///   - retryAfter: What the receiver asked for; it can lengthen the wait, never shorten it.
    ///   - tries: Tries made so far, this one included; at least 1.
    ///   - createdAt: When the message was made, or somebody asked for it again. The last try falls on the end of its lifetime, or on the time that the
    ///     receiver asked for if that is later.
    ///   - jitter: 0 ..< 1, evenly spread; moves the wait by up to a fifth either way.
    package static func result(
        status: Int?, retryAfter: RetryAfter?, tries: Int, createdAt: Instant, now: Instant, jitter: Double
    ) -> AttemptResult {
        if let status, (200...299).contains(status) { return .delivered }
        if status == 410 { return .channelGone }
        let end = createdAt + lifetimeSeconds
        guard now < end else { return .dead }
        let next = min(now + delay(afterTries: tries, jitter: jitter), end)
        return .retry(at: max(next, now + (retryAfter?.seconds ?? 0)))
    }

    /// Seconds to wait after so many failed tries.
    ///
    /// - Parameter jitter: 0 ..< 1; values outside count as the nearer end.
    package static func delay(afterTries tries: Int, jitter: Double) -> Int64 {
        let base = delays[min(max(tries, 1), delays.count) - 1]
        return Int64((Double(base) * (0.8 + 0.4 * min(max(jitter, 0), 1))).rounded())
    }
}
