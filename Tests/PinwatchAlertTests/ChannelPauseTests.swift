import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchAlert

@Suite(.timeLimit(.minutes(5))) struct ChannelPauseTests {
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
        // It answers, so it is asked once in half a minute.
        #expect((5...25).contains(bench.sent.withLock { $0.count }))
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

    @Test func `However many messages are turned down again and again, a new one ends the pause`() async throws {
        let bench = bench(status(422))
        let courier = try bench.channelCourier()
        await bench.outbox.add((1...25).map { item($0, poisoned: true) })
        await bench.run(courier, forSeconds: 1_200)
        await bench.outbox.add([item(26)])
        await bench.run(courier, forSeconds: Circuit.firstPauseSeconds + 1)
        #expect(await bench.outbox.deliveries.last?.state == .delivered)
    }

    @Test func `What somebody asks for is tried in a pause, and the pause stays if it fails`() async throws {
        let bench = CourierBench { $0 == 6 ? status(200) : status(503) }
        let courier = try bench.channelCourier()
        await bench.outbox.add((1...5).map { item($0) })
        _ = await courier.lookOnce()
        let end = try #require(await courier.health.pausedUntil)
        #expect(await courier.health.paused)
        let asked = try #require(await bench.outbox.deliveries.last)
        bench.clock.advance(by: 10)
        await bench.outbox.ask(for: asked.id, now: bench.clock.now)
        _ = await courier.lookOnce()
        #expect(bench.sent.withLock { $0.count } == 6)
        #expect(bench.sent.withLock { $0.last?.body } == asked.body)
        #expect(await courier.health.pausedUntil == end)
        await bench.outbox.ask(for: asked.id, now: bench.clock.now)
        _ = await courier.lookOnce()
        #expect(await bench.outbox.deliveries.last?.state == .delivered)
        #expect(await !courier.health.paused)
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
