/// `channel.failing`: a channel that takes no messages, so that someone is told by another one.
enum ChannelFailingRule {
    /// Failures in a row from which a channel counts as failing.
    static let limit = 5

    static func findings(
        channel: String, disabledAt: Instant?, consecutiveFailures: Int, lastError: String?, now: Instant
    ) -> [Finding] {
        guard disabledAt != nil || consecutiveFailures >= limit else { return [] }
        let error = lastError.map { " " + Wording.sentence($0) } ?? ""
        return [
            Finding(
                key: "\(FindingKind.channelFailing.rawValue)/\(channel)", kind: .channelFailing, severity: .warning,
                subject: channel,
                summary: disabledAt == nil
                    ? "The channel \(channel) took none of its last messages.\(error)"
                    : "The channel \(channel) is disabled: its receiver answered that it is gone for good (410).",
                nextStep: disabledAt == nil
                    ? "Mend the receiver; what waits is sent again by itself for three days."
                    : "Give the channel a new URL; what could not be sent is listed among the deliveries as dead.",
                evidence: .object([("disabled_at", .time(disabledAt)), ("last_error", .text(lastError))]), since: now)
        ]
    }
}
