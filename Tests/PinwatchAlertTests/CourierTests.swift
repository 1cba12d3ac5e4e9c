import Dispatch
import PinwatchAlert
import PinwatchCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CourierTests {
    private func courier(_ outbox: InMemoryOutbox, _ channels: [Channel]) throws -> Courier {
        let client = try CurlClient(userAgent: "pinwatch/test", timeoutMilliseconds: 50_000)
        let random = Mutex(SystemRandomNumberGenerator())
        return try Courier(
            store: outbox, channels: channels, links: MessageLinks(base: "https://pins.example.com"),
            clock: { AlertSamples.now }, pause: { try? await Task.sleep(for: .seconds($0)) },
            random: { count in
                random.withLock { random in (0..<count).map { _ in .random(in: 0...255, using: &random) } }
            },
            http: { await client.send($0) }, log: { _ in })
    }

    private func item(_ channel: String, alert: Int64) -> OutboxItem {
        AlertSamples.alertItem(alert: alert, target: AlertSamples.target(alert), channel: channel)
    }

    @Test func `A slow channel does not delay a fast one, waking is enough, and stop records what is in flight`()
        async throws
    {
        let gate = Gate()
        let slow = try HTTPReceiver { _, _ in
            gate.wait()
            return .status(200)
        }
        let fast = try HTTPReceiver { _, _ in .status(200) }
        let outbox = InMemoryOutbox()
        let courier = try courier(
            outbox, [CourierBench.channel("slow", url: slow.url()), CourierBench.channel("fast", url: fast.url())])
        let running = Task { await courier.run() }
        await outbox.add([item("slow", alert: 1)])
        courier.wake()
        _ = try await slow.requests(atLeast: 1)
        for number in 1...10 {
            await outbox.add([item("fast", alert: Int64(number))])
            courier.wake()
            _ = try await fast.requests(atLeast: number)
        }
        courier.stop()
        gate.open()
        await running.value
        #expect(await outbox.deliveries.allSatisfy { $0.state == .delivered })
        #expect(await outbox.deliveries.count == 11)
        #expect(await courier.health().mapValues(\.failures) == ["slow": 0, "fast": 0])
    }

    @Test func `Cancelling ends the run at once and leaves the delivery pending`() async throws {
        let receiver = try HTTPReceiver { _, _ in .stall }
        let outbox = InMemoryOutbox()
        await outbox.add([item("ops", alert: 1)])
        let courier = try courier(outbox, [CourierBench.channel(url: receiver.url())])
        let running = Task { await courier.run() }
        _ = try await receiver.requests(atLeast: 1)
        running.cancel()
        await running.value
        #expect(await outbox.deliveries.map(\.state) == [.pending])
        #expect(await outbox.deliveries.map(\.attempts.count) == [0])
    }

    @Test func `A courier without channels runs until it is stopped`() async throws {
        let courier = try courier(InMemoryOutbox(), [])
        let running = Task { await courier.run() }
        courier.wake()
        courier.stop()
        await running.value
        #expect(await courier.health().isEmpty)
    }

    @Test func `Channels come, change and go while it runs, and no try is made twice`() async throws {
        let gate = Gate()
        let old = try HTTPReceiver { _, _ in
            gate.wait()
            return .status(200)
        }
        let new = try HTTPReceiver { _, _ in .status(200) }
        let outbox = InMemoryOutbox()
        let courier = try courier(outbox, [])
        let running = Task { await courier.run() }
        try courier.use(channels: [CourierBench.channel("ops", url: old.url())])
        await outbox.add([item("ops", alert: 1)])
        courier.wake()
        _ = try await old.requests(atLeast: 1)
        // Gone and back with another address, while the old receiver still thinks.
        try courier.use(channels: [])
        #expect(await courier.health().isEmpty)
        try courier.use(channels: [CourierBench.channel("ops", url: new.url())])
        await outbox.add([item("ops", alert: 2)])
        courier.wake()
        gate.open()
        _ = try await new.requests(atLeast: 1)
        #expect(await courier.test(channel: "ops")?.status == 200)
        #expect(await courier.test(channel: "dev") == nil)
        courier.stop()
        await running.value
        #expect(old.requests.count == 1 && new.requests.count == 2)
        #expect(await outbox.deliveries.map(\.state) == [.delivered, .delivered])
        #expect(await outbox.deliveries.map(\.attempts.count) == [1, 1])
    }

    @Test func `A channel that cannot be used changes nothing`() async throws {
        let courier = try courier(InMemoryOutbox(), [CourierBench.channel("ops")])
        let bad = Channel(
            name: "bad", kind: .webhook, url: Secret("https://a.example/"), secrets: [], allowPrivate: false)
        #expect(throws: AlertError.secretMissing(channel: "bad")) { try courier.use(channels: [bad]) }
        #expect(await courier.health().keys.sorted() == ["ops"])
    }

    @Test func `A channel without a secret is refused before anything runs`() {
        let channel = Channel(
            name: "ops", kind: .webhook, url: Secret("https://hooks.example.com/"), secrets: [], allowPrivate: false)
        #expect(throws: AlertError.secretMissing(channel: "ops")) { try courier(InMemoryOutbox(), [channel]) }
    }
}

/// Holds a receiver's thread until a test lets it go.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}
