import FoundationEssentials
import PinwatchAlert
import PinwatchCore
import TestSupport
import Testing

private let first = Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
private let second = Secret("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")

private func channel(_ kind: Channel.Kind, secrets: [Secret]) -> Channel {
    Channel(name: "ops", kind: kind, url: Secret("https://hooks.example.com/x"), secrets: secrets, allowPrivate: false)
}

@Suite struct WebhookTests {
    @Test func `Two secrets give two signatures with one blank between, each over the bytes sent`() throws {
        let webhook = try channel(.webhook, secrets: [first, second]).format()
        let body = Array(#"{"a":1}"#.utf8)
        let headers = webhook.headers(id: "msg_a", body: body, now: AlertSamples.now)
        let keys = try [first, second].map { try #require(SigningKey($0)) }
        let expected = keys.map { $0.signature(id: "msg_a", timestamp: 1_796_040_000, body: body) }
        #expect(
            headers == [
                HTTPHeader("content-type", "application/json"), HTTPHeader("webhook-id", "msg_a"),
                HTTPHeader("webhook-timestamp", "1796040000"),
                HTTPHeader("webhook-signature", expected.joined(separator: " ")),
            ])
        #expect(expected[0] != expected[1])
    }

    @Test func `A later try has a fresh timestamp and signature`() throws {
        let webhook = try channel(.webhook, secrets: [first]).format()
        let early = webhook.headers(id: "msg_a", body: [0], now: AlertSamples.now)
        let late = webhook.headers(id: "msg_a", body: [0], now: AlertSamples.now + 5)
        #expect(early[1] == late[1])
        #expect(early[2] != late[2])
        #expect(early[3] != late[3])
    }

    @Test func `A channel that cannot sign is refused with its name and what is wanted`() {
        #expect(throws: AlertError.secretMissing(channel: "ops")) { try channel(.webhook, secrets: []).format() }
        #expect(throws: AlertError.secretMalformed(channel: "ops")) {
            try channel(.webhook, secrets: [first, Secret("hunter2hunter2")]).format()
        }
        let words = AlertError.secretMalformed(channel: "ops").description
        #expect(words.contains("ops") && words.contains("whsec_") && !words.contains("hunter2"))
    }
}

@Suite struct SlackTests {
    private func text(_ items: [OutboxItem]) throws -> String {
        let links = MessageLinks(base: "https://pins.example.com")
        let message = AlertMessage(id: "msg_a", items: items, links: links, unicode: { $0.ascii })
        let slack = try channel(.slack, secrets: []).format()
        let body = slack.body(try #require(message))
        let object = try JSONDecoder().decode([String: String].self, from: Data(body))
        #expect(Array(object.keys) == ["text"])
        return try #require(object["text"])
    }

    @Test func `Severity, sentence, next step and link, in this order`() throws {
        #expect(
            try text([AlertSamples.alertItem(alert: 1, target: AlertSamples.target(3))]) == """
                *Critical*: Shop iOS 5.1 rejects api.example.com.
                Next: Put the old key back.
                <https://pins.example.com/#/alerts/1|Open in Pinwatch>
                """)
    }

    @Test func `A resolved alert says so and asks for nothing`() throws {
        let text = try text([AlertSamples.alertItem(alert: 1, target: nil, change: .resolved)])
        #expect(text.hasPrefix("*Critical, resolved*: "))
        #expect(!text.contains("Next:"))
    }

    @Test func `Entities, links, mentions and hidden characters of hostile text come out harmless`() throws {
        let hostile = "<!channel> <https://evil.test|click> & a\u{202E}b\u{200B}c\nnew\u{0}line\u{2028}"
        let finding = AlertSamples.finding(1, summary: hostile)
        let text = try text([AlertSamples.alertItem(alert: 1, target: nil, finding: finding)])
        let line = try #require(text.split(separator: "\n").first)
        #expect(
            line == #"""
                *Critical*: &lt;!channel&gt; &lt;https://evil.test|click&gt; &amp; a\u{202E}b\u{200B}c\u{A}new\#
                \u{0}line\u{2028}
                """#)
    }

    @Test func `A long group stays within a chat message and counts what it leaves out`() throws {
        let items = (1...300 as ClosedRange<Int64>).map { number in
            let long = String(repeating: "w", count: 5_000) + "\(number)"
            let finding = AlertSamples.finding(number, summary: long, nextStep: long)
            return AlertSamples.alertItem(alert: number, target: nil, finding: finding, id: number)
        }
        let text = try text(items)
        #expect(text.count < 4_000)
        #expect(text.contains("and 290 more"))
        #expect(text.contains("…"))
    }

    @Test func `An event is told by its sentence`() throws {
        let text = try text([AlertSamples.eventItem(target: AlertSamples.target(3))])
        #expect(text.hasPrefix("*Info*: api.example.com moved to its backup key.\n<https://"))
    }
}
