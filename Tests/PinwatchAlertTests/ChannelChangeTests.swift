import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchAlert

/// The courier whose channel a bench's receiver changes while it answers.
private final class Handle: Sendable {
    let courier = Mutex<ChannelCourier?>(nil)
}

@Suite(.timeLimit(.minutes(5))) struct ChannelChangeTests {
    private static let newURL = "https://hooks.example.com/another-path"

    private func items(_ count: Int64) -> [OutboxItem] {
        (1...count).map { AlertSamples.eventItem(target: AlertSamples.target($0)) }
    }

    @Test("A channel that changed begins with a closed circuit", arguments: [true, false])
    func closed(changesURL: Bool) async throws {
        let bench = CourierBench { $0 < 5 ? status(503) : status(200) }
        let courier = try bench.channelCourier()
        await bench.outbox.add(items(5))
        _ = await courier.lookOnce()
        #expect(await courier.health.paused)
        courier.use(
            try Assignment(
                CourierBench.channel(url: changesURL ? Self.newURL : "https://hooks.example.com/secret-path")))
        await bench.outbox.add(items(1))
        _ = await courier.lookOnce()
        #expect(await courier.health.paused != changesURL)
        #expect(bench.sent.withLock { $0.count } == (changesURL ? 6 : 5))
    }

    @Test("A try under way is recorded once, and what the old receiver says ends nothing", arguments: [200, 410, 503])
    func underWay(answer: Int) async throws {
        let handle = Handle()
        let changed = try Assignment(CourierBench.channel(url: Self.newURL))
        let bench = CourierBench { number, _ in
            if number == 0 { handle.courier.withLock { $0 }?.use(changed) }
            return number == 0 ? status(answer, retryAfter: "600") : status(200)
        }
        let courier = try bench.channelCourier()
        handle.courier.withLock { $0 = courier }
        await bench.outbox.add(items(1))
        _ = await courier.lookOnce()
        let delivery = try #require(await bench.outbox.deliveries.first)
        #expect(delivery.state == .delivered)
        #expect(delivery.attempts.map(\.status) == (answer == 200 ? [200] : [answer, 200]))
        #expect(
            bench.sent.withLock { $0.map(\.url.revealed) }
                == ["https://hooks.example.com/secret-path"] + (answer == 200 ? [] : [Self.newURL]))
        #expect(await bench.outbox.disabledChannels.isEmpty)
        #expect(
            await courier.health
                == ChannelHealth(failures: 0, lastError: nil, pausedUntil: nil, paused: false, gone: false))
    }

    @Test func `A channel that went is sent nothing more, and its last try is recorded before the courier ends`()
        async throws
    {
        let handle = Handle()
        let bench = CourierBench { _, _ in
            handle.courier.withLock { $0 }?.use(nil)
            return status(503)
        }
        let courier = try bench.channelCourier()
        handle.courier.withLock { $0 = courier }
        await bench.outbox.add(items(3))
        await bench.outbox.fail([.record])
        _ = await courier.lookOnce()
        await bench.outbox.fail([])
        await courier.run()
        #expect(bench.sent.withLock { $0.count } == 1)
        #expect(await bench.outbox.deliveries.map(\.attempts.count) == [1, 0, 0])
    }
}
