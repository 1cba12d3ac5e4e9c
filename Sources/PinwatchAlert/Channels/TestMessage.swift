package import PinwatchCore

/// What a channel is tried with when somebody wants to know whether it works.
package struct TestMessage: Sendable {
    /// `msg_…`, as of every message.
    package let id: String
    package let channel: String
    package let at: Instant
    package let links: MessageLinks

    package static let type = "channel.test"

    package init(id: String, channel: String, at: Instant, links: MessageLinks) {
        self.id = id
        self.channel = channel
        self.at = at
        self.links = links
    }

    var words: String { "This is a test of the channel \(channel). Nothing is wrong, and nothing is to be done." }
    var dashboard: String { links.base + "/" }
}

extension Webhook {
    package func body(_ test: TestMessage) -> [UInt8] {
        JSON.object([
            ("id", .string(test.id)), ("type", .string(TestMessage.type)), ("timestamp", .time(test.at)),
            (
                "data",
                .object([
                    ("channel", .string(test.channel)), ("message", .string(test.words)),
                    ("links", .object([("dashboard", .string(test.dashboard))])),
                ])
            ),
        ]).bytes
    }
}

extension Slack {
    package func body(_ test: TestMessage) -> [UInt8] {
        let link = "<\(Self.escaped(test.dashboard, limit: 300))|Open in Pinwatch>"
        return JSON.object([("text", .string("*Test*: \(Self.escaped(test.words, limit: 200))\n\(link)"))]).bytes
    }
}
