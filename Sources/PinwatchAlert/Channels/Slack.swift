package import PinwatchCore

/// Slack's incoming webhooks and what copies them: one text of `mrkdwn` in a JSON object.
package struct Slack: ChannelFormat {
    /// Items of a group told by a line of their own, the first included; the rest are counted.
    private static let shownItems = 10

    package init() {}

    package func body(_ message: AlertMessage) -> [UInt8] {
        JSON.object([("text", .string(Self.text(message)))]).bytes
    }

    package func headers(id: String, body: [UInt8], now: Instant) -> [HTTPHeader] {
        [HTTPHeader("content-type", "application/json")]
    }

    /// What stands in the chat: severity and change, what happened, what else, what to do, where to look. At most
    /// about 4,000 characters before escaping, however long the parts are.
    static func text(_ message: AlertMessage) -> String {
        let lead = message.lead
        var lines = ["*\(heading(lead))*: \(escaped(lead.subject.summary, limit: 800))"]
        lines += message.items.dropFirst().prefix(shownItems - 1).map {
            "• \(escaped($0.subject.summary, limit: 200))"
        }
        if message.items.count > shownItems { lines.append("• and \(message.items.count - shownItems) more") }
        if case .alert(let change, _, let finding) = lead.subject, change != .resolved, !finding.nextStep.isEmpty {
            lines.append("Next: \(escaped(finding.nextStep, limit: 400))")
        }
        lines.append("<\(escaped(message.links.dashboard(lead), limit: 300))|Open in Pinwatch>")
        return lines.joined(separator: "\n")
    }

    private static func heading(_ item: OutboxItem) -> String {
        guard case .alert(let change, _, let finding) = item.subject else { return "Info" }
        let severity =
            switch finding.severity {
            case .critical: "Critical"
            case .warning: "Warning"
            case .info: "Info"
            }
        switch change {
        case .opened: return severity
        case .escalated: return severity + ", escalated"
        case .updated: return severity + ", updated"
        case .acknowledged: return severity + ", acknowledged"
        case .resolved: return severity + ", resolved"
        }
    }

    /// Slack takes `&`, `<` and `>` for entities, links and mentions, and nothing else has to be escaped.
    static func escaped(_ text: String, limit: Int) -> String {
        text.visible(limit: limit).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
