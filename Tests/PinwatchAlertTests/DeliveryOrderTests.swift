import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchAlert

@Suite struct DeliveryOrderTests {
    @Test func `The end of an alert waits until its beginning has arrived`() async throws {
        let bench = CourierBench { $0 < 3 ? status(503) : status(200) }
        let courier = try bench.channelCourier()
        await bench.outbox.add([AlertSamples.alertItem(alert: 1, target: nil)])
        _ = await courier.lookOnce()
        let end = AlertSamples.alertItem(alert: 1, target: nil, change: .resolved)
        await bench.outbox.add([end, AlertSamples.alertItem(alert: 2, target: nil)])
        await bench.run(courier, forSeconds: 300)
        let (opened, resolved) = ("\"alert.opened\"", "\"alert.resolved\"")
        let told = bench.sent.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } }
        #expect(told.count == 6)
        #expect(told.last?.contains(resolved) == true)
        #expect(told.dropLast().allSatisfy { $0.contains(opened) })
        #expect(await bench.outbox.deliveries.allSatisfy { $0.state == .delivered })
    }

    @Test func `Each alert of a group keeps its place`() async throws {
        let bench = CourierBench { $0 == 0 ? status(503) : status(200) }
        let courier = try bench.channelCourier()
        await bench.outbox.add([1, 2].map { AlertSamples.alertItem(alert: $0, target: nil) })
        _ = await courier.lookOnce()
        await bench.outbox.add([AlertSamples.alertItem(alert: 2, target: nil, change: .resolved)])
        let wait = await courier.lookOnce()
        #expect((4...6).contains(wait))
        #expect(bench.sent.withLock { $0.count } == 1)
        bench.clock.advance(by: wait)
        _ = await courier.lookOnce()
        #expect(await bench.outbox.deliveries.map(\.attempts.count) == [2, 1])
    }
}
