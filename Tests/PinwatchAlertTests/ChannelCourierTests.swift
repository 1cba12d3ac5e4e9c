import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchAlert

func status(_ code: Int, retryAfter: String? = nil, _ body: String = "") -> Result<HTTPAnswer, AttemptFailure> {
    .success(HTTPAnswer(status: code, retryAfter: retryAfter, body: Array(body.utf8)))
}

@Suite struct ChannelCourierTests {
    private func items(_ count: Int64, first: Int64 = 1, kind: FindingKind = .pinRejected) -> [OutboxItem] {
        (first..<first + count).map {
            AlertSamples.alertItem(
                alert: $0, target: AlertSamples.target($0), finding: AlertSamples.finding($0, kind: kind))
        }
    }

    /// One message each: alerts that change in turn cannot share one.
    private func separate(_ count: Int64) -> [OutboxItem] {
        (1...count).map { AlertSamples.eventItem(target: AlertSamples.target($0)) }
    }

    @Test func `A due item is composed, sent and recorded, with a checkpoint between any two steps`() async throws {
        let bench = CourierBench { _ in status(200) }
        await bench.outbox.add(items(1))
        _ = try await bench.channelCourier().lookOnce()
        let delivery = try #require(await bench.outbox.deliveries.first)
        #expect(delivery.state == .delivered)
        #expect(delivery.attempts == [Attempt(at: AlertSamples.now, status: 200, error: nil, milliseconds: 3)])
        #expect(delivery.alertID == AlertID(1))
        #expect(await bench.outbox.waiting.isEmpty)
        #expect(
            bench.steps.withLock { $0 } == [
                "courier.before_compose", "courier.composed", "courier.after_compose", "courier.before_send",
                "courier.after_send", "courier.before_record", "courier.after_record",
            ])
        let request = try #require(bench.sent.withLock { $0.first })
        #expect(request.headers[1] == HTTPHeader("webhook-id", delivery.messageID))
        #expect(request.body == delivery.body)
        #expect(String(decoding: request.body, as: UTF8.self).hasPrefix(#"{"id":"\#(delivery.messageID)""#))
    }

    @Test func `Items of one kind share a message, and those held back wait`() async throws {
        let bench = CourierBench { _ in status(200) }
        let held = AlertSamples.alertItem(
            alert: 9, target: nil, finding: AlertSamples.finding(9), holdUntil: AlertSamples.now + 30)
        await bench.outbox.add(items(3) + items(2, first: 4, kind: .chainInvalid) + [held])
        let courier = try bench.channelCourier()
        #expect(await courier.lookOnce() == 30)
        #expect(bench.sent.withLock { $0.count } == 2)
        bench.clock.advance(by: 30)
        #expect(await courier.lookOnce() == 60)
        #expect(bench.sent.withLock { $0.count } == 3)
    }

    @Test func `A thousand items of a burst are all told`() async throws {
        let bench = CourierBench { _ in status(200) }
        await bench.outbox.add(items(1_000))
        _ = try await bench.channelCourier().lookOnce()
        #expect(await bench.outbox.waiting.isEmpty)
        #expect(bench.sent.withLock { $0.count } == 5)
    }

    @Test func `Every try has the same id and body and a fresh timestamp`() async throws {
        let bench = CourierBench { $0 < 3 ? status(500) : status(200) }
        await bench.outbox.add(items(1))
        await bench.run(try bench.channelCourier(), forSeconds: 300)
        let sent = bench.sent.withLock { $0 }
        #expect(sent.count == 4)
        #expect(Set(sent.map(\.body)).count == 1)
        #expect(Set(sent.map { $0.headers[1] }).count == 1)
        #expect(Set(sent.map { $0.headers[2] }).count == 4)
        #expect(await bench.outbox.deliveries.map(\.state) == [.delivered])
    }

    @Test("A receiver that is dead for ten minutes gets a handful of tries", arguments: [1, 3, 200] as [Int64])
    func deadReceiver(messages: Int64) async throws {
        let bench = CourierBench { _ in .failure(.transport("Connection refused")) }
        await bench.outbox.add(separate(messages))
        let courier = try bench.channelCourier()
        await bench.run(courier, forSeconds: 600)
        #expect((4...10).contains(bench.sent.withLock { $0.count }))
        #expect(await bench.outbox.deliveries.count == Int(messages))
        let health = await courier.health
        #expect(health.failures == bench.sent.withLock { $0.count })
        #expect(health.lastError == "Connection refused")
    }

    @Test func `When the receiver is back everything arrives once, and the log says so`() async throws {
        let bench = CourierBench { $0 < 9 ? status(503) : status(200) }
        await bench.outbox.add(separate(50))
        let courier = try bench.channelCourier()
        await bench.run(courier, forSeconds: 2 * 3_600)
        #expect(await bench.outbox.deliveries.allSatisfy { $0.state == .delivered })
        #expect(bench.sent.withLock { $0.count } == 59)
        #expect(
            await courier.health
                == ChannelHealth(failures: 0, lastError: nil, pausedUntil: nil, paused: false, gone: false))
        let log = bench.log.withLock { $0 }
        #expect(log.count == 2)
        #expect(log.first?.contains("5 tries in a row failed") == true)
        #expect(log.last == "channel ops: delivers again")
    }

    @Test func `Retry-After holds the whole channel`() async throws {
        let bench = CourierBench { $0 == 0 ? status(429, retryAfter: "120") : status(200) }
        await bench.outbox.add(separate(3))
        let courier = try bench.channelCourier()
        await bench.run(courier, forSeconds: 119)
        #expect(bench.sent.withLock { $0.count } == 1)
        await bench.run(courier, forSeconds: 5)
        #expect(bench.sent.withLock { $0.count } == 4)
    }

    @Test func `410 ends the channel and its waiting messages`() async throws {
        let bench = CourierBench { _ in status(410) }
        await bench.outbox.add(separate(3))
        let courier = try bench.channelCourier()
        await bench.run(courier, forSeconds: 3_600)
        #expect(bench.sent.withLock { $0.count } == 1)
        #expect(await bench.outbox.disabledChannels == ["ops"])
        #expect(await bench.outbox.deliveries.allSatisfy { $0.state == .dead })
        #expect(await courier.health.gone)
    }

    @Test func `After three days of failures a message is dead`() async throws {
        let bench = CourierBench { _ in status(404) }
        await bench.outbox.add(items(1))
        await bench.run(try bench.channelCourier(), forSeconds: 4 * 86_400)
        let delivery = try #require(await bench.outbox.deliveries.first)
        #expect(delivery.state == .dead)
        #expect((60...100).contains(bench.sent.withLock { $0.count }))
        #expect(bench.log.withLock { $0.last }?.contains("given up after 3 days") == true)
    }

    @Test(
        "A failed try is recorded in words, without what is secret and without hidden characters",
        arguments: [
            (status(302), 302, "HTTP 302: redirects are not followed"), (status(500), 500, "HTTP 500"),
            (status(404, "Cannot POST\n /secret-path\u{202E}!"), 404, #"HTTP 404: Cannot POST <secret>\u{202E}!"#),
            (.failure(.timedOut(milliseconds: 10_000)), nil, "no answer within 10 s"),
        ] as [(Result<HTTPAnswer, AttemptFailure>, Int?, String)])
    func words(outcome: Result<HTTPAnswer, AttemptFailure>, status: Int?, error: String) async throws {
        let bench = CourierBench { _ in outcome }
        await bench.outbox.add(items(1))
        _ = try await bench.channelCourier().lookOnce()
        let attempt = try #require(await bench.outbox.deliveries.first?.attempts.first)
        #expect(attempt.status == status)
        #expect(attempt.error == error)
    }

    @Test func `A try that could not be recorded is recorded before anything else is sent`() async throws {
        let bench = CourierBench { _ in status(200) }
        await bench.outbox.add(separate(2))
        await bench.outbox.fail([.record])
        let courier = try bench.channelCourier()
        await bench.run(courier, forSeconds: 600)
        #expect(bench.sent.withLock { $0.count } == 1)
        #expect(bench.log.withLock { $0.count } == 1)
        await bench.outbox.fail([])
        await bench.run(courier, forSeconds: 1)
        #expect(bench.sent.withLock { $0.count } == 2)
        #expect(await bench.outbox.deliveries.allSatisfy { $0.state == .delivered && $0.attempts.count == 1 })
        #expect(bench.log.withLock { $0.last } == "channel ops: the store answers again")
    }

    @Test(
        "A store that fails is asked again after a growing pause, and nothing is lost",
        arguments: [.dueItems, .compose, .dueDeliveries, .nextDue] as [InMemoryOutbox.Method])
    func storeFails(method: InMemoryOutbox.Method) async throws {
        let bench = CourierBench { _ in status(200) }
        await bench.outbox.add(items(1))
        await bench.outbox.fail([method])
        let courier = try bench.channelCourier()
        var pauses: [Int64] = []
        for _ in 1...8 { pauses.append(await courier.lookOnce()) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        await bench.outbox.fail([])
        _ = await courier.lookOnce()
        #expect(bench.sent.withLock { $0.count } == 1)
        #expect(await bench.outbox.deliveries.map(\.state) == [.delivered])
    }

    @Test func `A try that was given up is not recorded, and the next has the same id`() async throws {
        let bench = CourierBench { $0 == 0 ? .failure(.cancelled) : status(200) }
        await bench.outbox.add(items(1))
        let courier = try bench.channelCourier()
        _ = await courier.lookOnce()
        #expect(await bench.outbox.deliveries.map(\.attempts.count) == [0])
        _ = await courier.lookOnce()
        let sent = bench.sent.withLock { $0 }
        #expect(sent.map { $0.headers[1] } == [sent[0].headers[1], sent[0].headers[1]])
        #expect(await bench.outbox.deliveries.map(\.attempts.count) == [1])
    }
}
