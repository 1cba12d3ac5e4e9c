internal import PinwatchCore
internal import PinwatchScan
internal import PinwatchStore
internal import PinwatchTLS
internal import Synchronization

/// Where scans come from: the ``Scanner``, whose words these are.
protocol ScanSource: Sendable {
    func submit(_ target: Target, at due: Instant) -> Bool
    func nextScans() async -> [Scan]
    func release(_ scans: Int)
}

extension Scanner: ScanSource {}

/// The pipeline, top to bottom: due targets are scanned; what they served is recorded, judged and owed to channels in one
/// transaction; what is owed is delivered. A clock judges again what changes by time alone.
final class Monitor: Sendable {
    private let scanner: any ScanSource
    private let store: Store
    private let book: ChainBook
    private let judge: Judge
    private let retention: Configuration.Retention
    private let counts: ScanCounts
    private let owe: @Sendable () -> Void
    private let checkpoint: @Sendable (StaticString) -> Void
    /// Targets under way: one that stalls past its period is not visited twice at once.
    private let running = Mutex<Set<TargetID>>([])
    private let ownTrustStores: Set<String>

    /// - Parameters:
    ///   - owe: Tells the courier that the outbox may hold something new.
    ///   - checkpoint: Called between any two steps, with a name; for tests that end the process there.
    init(
        scanner: any ScanSource, store: Store, book: ChainBook, policy: EvaluationPolicy,
        retention: Configuration.Retention, counts: ScanCounts, owe: @escaping @Sendable () -> Void,
        checkpoint: @escaping @Sendable (StaticString) -> Void
    ) {
        self.scanner = scanner
        self.store = store
        self.book = book
        self.retention = retention
        self.counts = counts
        self.owe = owe
        self.checkpoint = checkpoint
        ownTrustStores = Set(policy.pinSets.compactMap(\.definition.trustStore))
        judge = Judge(policy: policy, assessor: book)
    }

    /// Runs until the task is cancelled and the scanner has handed over its last scan.
    func run(_ targets: [Synchronized.Scheduled]) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.dispatch(targets) }
            group.addTask { await self.record() }
            group.addTask { await self.keepTime() }
        }
    }

    /// Configuration → schedule → scanner.
    private func dispatch(_ targets: [Synchronized.Scheduled]) async {
        var schedule = Schedule()
        let start = Machine.now()
        for entry in targets where !entry.target.settings.paused {
            schedule.set(
                entry.target, periodSeconds: period(of: entry.target), lastScanAt: entry.lastScanAt, now: start)
        }
        while !Task.isCancelled {
            for target in schedule.takeDue(now: Machine.now(), limit: 10_000) {
                guard running.withLock({ $0.insert(target.id).inserted }) else {
                    counts.skipped()
                    continue
                }
                if scanner.submit(target, at: Machine.now()) {
                    checkpoint("monitor.submitted")
                } else {
                    counts.skipped()
                    _ = running.withLock { $0.remove(target.id) }
                }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Scanner → store → courier. A scan stays in hand until it is recorded, so a full disk delays and loses nothing.
    private func record() async {
        while true {
            let scans = await scanner.nextScans()
            guard !scans.isEmpty else { return }
            checkpoint("monitor.scanned")
            for scan in scans { assess(scan) }
            checkpoint("monitor.assessed")
            await retrying("record scans") {
                if try await self.store.record(scans, judge: self.judge, now: Machine.now()).owed > 0 {
                    self.checkpoint("monitor.recorded")
                    self.owe()
                }
            }
            counts.recorded(scans)
            running.withLock { set in set.subtract(scans.map(\.target.id)) }
            scanner.release(scans.count)
        }
    }

    /// Builds paths before the transaction, which then finds them made: to the target's trust store and to those of
    /// releases with one of their own.
    private func assess(_ scan: Scan) {
        let trustStores = ownTrustStores.union([scan.target.settings.trustStore])
        for chain in Set(scan.observations.compactMap(\.chain)) {
            for trustStore in trustStores { _ = book.assess(chain, trustStore: trustStore, now: Machine.now()) }
        }
    }

    /// Judges what time alone changes, every second, and prunes every hour.
    private func keepTime() async {
        var nextPrune = Machine.now() + 60
        while !Task.isCancelled {
            let now = Machine.now()
            await retrying("judge what is due") {
                var judged = 500
                while judged == 500 {
                    let due = try await self.store.evaluateDue(judge: self.judge, now: now, limit: 500)
                    judged = due.judged
                    if due.recorded.owed > 0 {
                        self.checkpoint("monitor.judged")
                        self.owe()
                    }
                }
            }
            if now >= nextPrune {
                await retrying("prune") { _ = try await self.store.prune(self.retention, now: now) }
                nextPrune = now + 3_600
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func period(of target: Target) -> Int64 {
        target.settings.periodSeconds ?? judge.policy.periodSeconds
    }

    /// Does a step of the store until it succeeds or the service stops, telling each new reason once.
    private func retrying(_ what: String, _ step: () async throws -> Void) async {
        var told: String?
        var pause = Duration.milliseconds(250)
        while true {
            do {
                return try await step()
            } catch {
                let reason = String(describing: error)
                if reason != told { Terminal.log("error cannot \(what): \(reason); trying again", at: Machine.now()) }
                told = reason
                guard !Task.isCancelled else { return }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}
