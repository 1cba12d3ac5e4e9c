import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchAlert

@Suite(.timeLimit(.minutes(1))) struct ChannelPauseTests {
    private func item(_ number: Int64, poisoned: Bool = false) -> OutboxItem {
        AlertSamples.eventItem(
            target: AlertSamples.target(number, host: poisoned ? "poison.example.com" : "api.example.com"))
    }

    /// A receiver that takes everything but messages about one host, of which it says `answer`.
    private func bench(_ answer: Result<HTTPAnswer, AttemptFailure>) -> CourierBench {
        CourierBench { _, request in
            String(decoding: request.body, as: UTF8.self).contains("poison") ? answer : status(200)
        }
    }

    @Test(
        "One message that fails for days keeps no other waiting",
        arguments: [
            status(400), status(404), status(413, retryAfter: "3600"), status(422), status(302), status(500),
            .failure(.timedOut(milliseconds: 10_000)),
        ])
    func poison(answer: Result<HTTPAnswer, AttemptFailure>) async throws {
        let bench = bench(answer)
        let courier = try bench.channelCourier()
        await bench.outbox.add([item(1, poisoned: true)])
        for number in 2...20 as ClosedRange<Int64> {
            let tries = bench.sent.withLock { $0.count }
            while bench.sent.withLock({ $0.count }) == tries { bench.clock.advance(by: await courier.lookOnce()) }
            // The receiver has just turned the poisoned one down once more.
            await bench.outbox.add([item(number)])
            _ = await courier.lookOnce()
            #expect(await bench.outbox.deliveries.last?.state == .delivered)
        }
    }

    @Test func `A receiver that turns everything down is left alone like one that is dead`() async throws {
        let bench = CourierBench { _ in status(403) }
        await bench.outbox.add((1...200).map { item($0) })
        let courier = try bench.channelCourier()
        await bench.run(courier, forSeconds: 600)
        #expect((5...12).contains(bench.sent.withLock { $0.count }))
        #expect(await courier.health.pausedUntil != nil)
        #expect(bench.log.withLock { $0.count } == 1)
    }

    @Test func `What a pause ends with is a message that was not tried before`() async throws {
        let bench = bench(status(400))
        let courier = try bench.channelCourier()
        await bench.outbox.add((1...5).map { item($0, poisoned: true) })
        _ = await courier.lookOnce()
        #expect(await courier.health.pausedUntil == bench.clock.now + Circuit.firstPauseSeconds)
        await bench.outbox.add([item(6)])
        bench.clock.advance(by: Circuit.firstPauseSeconds)
        _ = await courier.lookOnce()
        let sent = bench.sent.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } }
        #expect(sent.dropFirst(5).first?.contains("api.example.com") == true)
        #expect(await bench.outbox.deliveries.last?.state == .delivered)
    }

    @Test func `What somebody asks for is tried in a pause, with fresh tries, and its success ends the pause`()
        async throws
    {
        let bench = CourierBench { $0 < 8 ? status(503) : status(200) }
        let courier = try bench.channelCourier()
        await bench.outbox.add((1...20).map { item($0) })
        var wait = await courier.lookOnce()
        while await courier.health.pausedUntil == nil {
            bench.clock.advance(by: wait)
            wait = await courier.lookOnce()
        }
        let tries = bench.sent.withLock { $0.count }
        _ = await courier.lookOnce()
        #expect(bench.sent.withLock { $0.count } == tries)
        let last = try #require(await bench.outbox.deliveries.last)
        // While the receiver still fails each time it is asked for is one try, and the others go on waiting.
        for number in 1...(8 - tries) {
            await bench.outbox.ask(for: last.id, at: bench.clock.now)
            _ = await courier.lookOnce()
            #expect(bench.sent.withLock { $0.count } == tries + number)
            #expect(await bench.outbox.deliveries.last?.isAskedFor == false)
            #expect(await bench.outbox.deliveries.last?.state == .pending)
        }
        await bench.outbox.ask(for: last.id, at: bench.clock.now)
        _ = await courier.lookOnce()
        #expect(await bench.outbox.deliveries.allSatisfy { $0.state == .delivered || $0.nextAttemptAt != nil })
        #expect(await bench.outbox.deliveries.last?.state == .delivered)
        #expect(await courier.health.pausedUntil == nil)
    }

    @Test("A clock that is set back stops no channel", arguments: [60, 900, 6 * 3_600, 10 * 365 * 86_400] as [Int64])
    func setBack(seconds: Int64) async throws {
        let bench = CourierBench { $0 < 6 ? status(503, retryAfter: "600") : status(200) }
        let courier = try bench.channelCourier()
        await bench.outbox.add((1...2).map { item($0) })
        while bench.sent.withLock({ $0.count }) < 6 { bench.clock.advance(by: await courier.lookOnce()) }
        let held = AlertSamples.alertItem(
            alert: 9, target: nil, holdUntil: bench.clock.now + 30, at: bench.clock.now)
        await bench.outbox.add([held])
        bench.clock.advance(by: -seconds)
        // Longer than anything waits by the clock that still holds.
        await bench.run(courier, forSeconds: 900)
        #expect(await bench.outbox.deliveries.count == 3)
        #expect(await bench.outbox.deliveries.allSatisfy { $0.state == .delivered })
    }
}
