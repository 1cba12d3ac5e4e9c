import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchAlert

@Suite(.timeLimit(.minutes(5))) struct ChannelTestTests {
    private static let id = "msg_" + String(repeating: "h", count: 27)

    private func test(_ channel: Channel, _ outcome: Result<HTTPAnswer, AttemptFailure>) async throws -> (
        Attempt, HTTPRequest
    ) {
        let sent = Mutex<HTTPRequest?>(nil)
        let test = ChannelTest(
            links: MessageLinks(base: "https://pins.example.com"), clock: { AlertSamples.now },
            random: { [UInt8](repeating: 7, count: $0) },
            http: { request in
                sent.withLock { $0 = request }
                return HTTPExchange(outcome: outcome, milliseconds: 12)
            })
        let attempt = try await test.attempt(channel)
        return (attempt, try #require(sent.withLock { $0 }))
    }

    @Test func `A webhook gets a signed channel.test and nothing of an alert`() async throws {
        let (attempt, request) = try await test(CourierBench.channel(), status(204))
        #expect(attempt == Attempt(at: AlertSamples.now, status: 204, error: nil, milliseconds: 12))
        #expect(attempt.isDelivered)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"id":"\#(Self.id)","type":"channel.test","timestamp":"2026-11-30T12:00:00Z","data":{"channel":"ops","#
                + #""message":"This is a test of the channel ops. Nothing is wrong, and nothing is to be done.","#
                + #""links":{"dashboard":"https://pins.example.com/"}}}"#)
        #expect(request.headers[1] == HTTPHeader("webhook-id", Self.id))
        let key = try #require(SigningKey(CourierBench.secret))
        let signature = key.signature(id: Self.id, timestamp: AlertSamples.now.unixSeconds, body: request.body)
        #expect(request.headers.last == HTTPHeader("webhook-signature", signature))
        #expect(request.addresses.allowPrivate)
    }

    @Test func `Slack gets a text`() async throws {
        let channel = Channel(
            name: "chat", kind: .slack, url: Secret("https://hooks.example.com/T0/B0/token"), secrets: [],
            allowPrivate: false)
        let (attempt, request) = try await test(channel, status(404, "no_team /T0/B0/token"))
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"text":"*Test*: This is a test of the channel chat. Nothing is wrong, and nothing is to be done."#
                + #"\n<https://pins.example.com/|Open in Pinwatch>"}"#)
        #expect(!request.addresses.allowPrivate)
        #expect(attempt.error == "HTTP 404: no_team <secret>" && !attempt.isDelivered)
    }

    @Test(
        "A test that fails says why",
        arguments: [
            (.failure(.timedOut(milliseconds: 10_000)), "no answer within 10 s"),
            (status(302), "HTTP 302: redirects are not followed"),
        ] as [(Result<HTTPAnswer, AttemptFailure>, String)])
    func fails(outcome: Result<HTTPAnswer, AttemptFailure>, words: String) async throws {
        let (attempt, _) = try await test(CourierBench.channel(), outcome)
        #expect(attempt.error == words && !attempt.isDelivered)
    }

    @Test func `A channel without a secret is refused`() async {
        let channel = Channel(
            name: "ops", kind: .webhook, url: Secret("https://a.example/"), secrets: [], allowPrivate: false)
        await #expect(throws: AlertError.secretMissing(channel: "ops")) { try await test(channel, status(200)) }
    }
}
