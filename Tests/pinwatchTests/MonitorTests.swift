import PinwatchCore
import PinwatchHTTP
import PinwatchStore
import PinwatchTLS
import Synchronization
import TestSupport
import Testing

@testable import pinwatch

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
    @Test func `a target that the scanner refused is offered again`() async throws {
        let world = try await MonitorWorld(periodSeconds: 1)
        world.source.refusals.withLock { $0 = 1 }
        let submitted = try await world.run { await world.source.submissions(atLeast: 2) }
        #expect(submitted.map(\.target.id) == [world.target.id, world.target.id])
    }

    @Test func `a target whose scan is not done is not scanned twice at once`() async throws {
        let world = try await MonitorWorld(periodSeconds: 1)
        try await world.run {
            _ = await world.source.submissions(atLeast: 1)
            while world.counts.families.first(where: { $0.name == "pinwatch_scans_skipped_total" })?.samples.first?
                .value
                == 0
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(world.source.submitted.withLock(\.count) == 1)
        }
    }

    @Test(arguments: [(0, nil), (1, nil), (60, nil), (61, 61), (86_400, 86_400), (-3_600, nil)] as [(Int64, Int64?)])
    func `turns of a loop that lie a minute apart have slept between`(gap: Int64, slept: Int64?) {
        let last = Instant(unixSeconds: 1_000_000)
        #expect(Monitor.sleep(from: last, to: last + gap) == slept)
    }

    @Test func `a scan that ends while the service stops is recorded`() async throws {
        var world = try await MonitorWorld(periodSeconds: 1)
        let (source, target) = (world.source, world.target)
        world.whenDriven = { source.finish(target, serving: nil) }
        try await world.run { [world] in _ = await world.source.submissions(atLeast: 1) }
        #expect(try await world.lastScan() != nil)
    }

    @Test func `judging and pruning for long are signs of life, batch by batch`() async throws {
        let pace = Pace()
        let world = try await MonitorWorld(
            periodSeconds: 300, targets: 6, pulse: pace.pulse, inTheStore: { pace.reached($0) })
        try await world.monitor.judgeDue(limit: 2)
        #expect(pace.batches.withLock { $0 } >= 3)
        #expect(pace.longest.withLock { $0 } == Pace.seconds)
        try await world.forgetEvents(batch: 2)
        #expect(pace.batches.withLock { $0 } >= 6)
        #expect(pace.longest.withLock { $0 } == Pace.seconds)
    }

    @Test func `paths to a release's own trust store are built before the transaction`() async throws {
        let root = TestCA.root("Root")
        let trustStores = [
            "system": try TrustStore(name: "system", bundle: root.der),
            "own": try TrustStore(name: "own", bundle: root.der),
        ]
        let pinSet = PinSetDefinition(
            identity: PinSetIdentity(app: "shop", release: "1", variant: .release, stack: "default"), share: nil,
            platform: nil, trustStore: "own", layers: [], source: "", origin: "shop.yaml", managedBy: .config)
        let world = try await MonitorWorld(periodSeconds: 10, trustStores: trustStores, pinSets: [pinSet])
        let chain = TestPKI.chain(root.leaf(dns: ["api.example.com"]))
        try await world.run {
            _ = await world.source.submissions(atLeast: 1)
            world.source.finish(world.target, serving: chain)
            while world.source.released.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(world.assessedBefore.withLock { $0 } == 2)
    }
}

/// Time that passes with the store's transactions alone, and the longest that the loop which keeps time was silent in it.
private final class Pace: Sendable {
    static let seconds: Int64 = 20
    let pulse: Pulse
    let batches = AtomicValue(0)
    let longest = AtomicValue<Int64>(0)
    private let now: AtomicValue<Instant>

    init() {
        let now = AtomicValue(Instant(unixSeconds: 0))
        self.now = now
        pulse = Pulse { now.withLock { $0 } }
    }

    func reached(_ step: StaticString) {
        guard ["store.judge.after_commit", "store.prune.after_commit"].contains("\(step)") else { return }
        now.withLock { $0 = $0 + Self.seconds }
        batches.withLock { $0 += 1 }
        let silence = pulse.silence(of: .time)
        longest.withLock { $0 = max($0, silence) }
    }
}

/// A monitor over a real store and a source of scans that the test plays.
private struct MonitorWorld {
    let source = PlayedSource()
    let counts = ScanCounts()
    let target: Target
    let assessedBefore: AtomicValue<Int>
    private let directory: TestDirectory
    private let store: Store
    let monitor: Monitor

    init(
        periodSeconds: Int64, targets: Int = 1, trustStores: [String: TrustStore] = [:],
        pinSets: [PinSetDefinition] = [], pulse: Pulse = Pulse(),
        inTheStore: @escaping @Sendable (StaticString) -> Void = { _ in }
    ) async throws {
        directory = try TestDirectory()
        let database = directory.path + "/pinwatch.db"
        store = try await Store.open(
            path: database, options: StoreOptions(checkpoint: inTheStore), now: Machine.now())
        var configuration = Configuration(listen: try ListenAddress("127.0.0.1:0"), database: database)
        configuration.targets = (0..<targets).map { number in
            let name = HostName(checked: number == 0 ? "api.example.com" : "h\(number).example.com")
            return TargetSettings(identity: TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil))
        }
        configuration.pinSets = pinSets
        let known = try await store.synchronize(
            configuration, trustStores: [:], urlHash: { _ in [] },
            readPinSet: { _ throws(TextFaults) in throw TextFaults([]) }, now: Machine.now())
        target = try #require(known.targets.first?.target)
        let book = ChainBook(trustStores: trustStores)
        let assessed = AtomicValue(0)
        assessedBefore = assessed
        configuration.scan.periodSeconds = periodSeconds
        monitor = Monitor(
            scanner: source, store: store, book: book,
            rules: MonitorRules(configuration, ownTrustStores: await store.ownTrustStores()), counts: counts,
            pulse: pulse, checkpoint: { if "\($0)" == "monitor.assessed" { assessed.withLock { $0 = book.count } } })
        monitor.changes.add(known.targets)
    }

    /// What the scanner still does between the end of driving and its own.
    var whenDriven: @Sendable () -> Void = {}

    /// Runs the monitor while `body` does, then stops it as the service does: nothing more falls due, and what the scanner
    /// has finished is recorded.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        let clock = SteadyClock()
        let drive = Task { [monitor] in await monitor.drive { clock.now() } }
        let record = Task { [monitor] in await monitor.record() }
        defer { record.cancel() }
        let result: Result
        do {
            result = try await body()
        } catch {
            drive.cancel()
            throw error
        }
        drive.cancel()
        await drive.value
        whenDriven()
        source.end()
        await record.value
        return result
    }

    /// Removes what the start wrote.
    func forgetEvents(batch: Int) async throws {
        var retention = Configuration.Retention()
        retention.eventsSeconds = -60
        try await monitor.prune(retention, batch: batch)
    }

    func lastScan() async throws -> Instant? { try await store.target(target.id)?.lastScanAt }
    func close() async throws { try await store.close() }
}

/// A value behind a lock that closures can share.
private final class AtomicValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}

private final class PlayedSource: ScanSource {
    let refusals = AtomicValue(0)
    let submitted = AtomicValue<[DueScan]>([])
    let released = AtomicValue(0)
    private let finished: AsyncStream<Scan>
    private let finish: AsyncStream<Scan>.Continuation

    init() { (finished, finish) = AsyncStream.makeStream() }

    func submit(_ scan: DueScan, at due: Instant) -> Bool {
        submitted.withLock { $0.append(scan) }
        return refusals.withLock { left in
            if left > 0 { left -= 1 } else { return true }
            return false
        }
    }

    func nextScans() async -> [Scan] {
        for await scan in finished { return [scan] }
        return []
    }

    func release(_ scans: Int) { released.withLock { $0 += scans } }

    func submissions(atLeast count: Int) async -> [DueScan] {
        while submitted.withLock({ $0.count }) < count, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
        return submitted.withLock { $0 }
    }

    func finish(_ target: Target, serving chain: Chain?) {
        let now = Machine.now()
        guard let address = IPAddress("192.0.2.1") else { preconditionFailure("an address") }
        var observation = Observation(
            at: now, address: address, profile: .phone,
            outcome: chain == nil ? .connectRefused(message: "refused") : .ok)
        observation.chain = chain
        finish.yield(
            Scan(target: target, startedAt: now, endedAt: now, resolved: [address], observations: [observation]))
    }

    func end() { finish.finish() }
}
