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
    private let periodSeconds: Int64
    private let retention: Configuration.Retention
    private let counts: ScanCounts
    private let owe: @Sendable () -> Void
    private let checkpoint: @Sendable (StaticString) -> Void
    /// Targets under way: one that stalls past its period is not visited twice at once.
    private let running = Mutex<Set<TargetID>>([])
    private let ownTrustStores: Set<String>
    private let toldLoss = LastReason()

    /// - Parameters:
    ///   - owe: Tells the courier that the outbox may hold something new.
    ///   - checkpoint: Called between any two steps, with a name; for tests that end the process there.
    init(
        scanner: any ScanSource, store: Store, book: ChainBook, periodSeconds: Int64, ownTrustStores: Set<String>,
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
        self.periodSeconds = periodSeconds
        self.ownTrustStores = ownTrustStores
    }

    /// Has targets scanned when they are due and judges what time changes, until the task is cancelled.
    ///
    /// - Parameter steady: A clock that nobody sets, beginning at the present time.
    func drive(_ targets: [Synchronized.Scheduled], steady: @escaping @Sendable () -> Instant) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.dispatch(targets, steady) }
            group.addTask { await self.keepTime() }
        }
    }

    /// Configuration → schedule → scanner.
    private func dispatch(_ targets: [Synchronized.Scheduled], _ steady: @Sendable () -> Instant) async {
        var schedule = Schedule()
        let start = steady()
        for entry in targets where !entry.target.settings.paused {
            schedule.set(
                entry.target, periodSeconds: period(of: entry.target), lastScanAt: entry.lastScanAt, now: start)
        }
        while !Task.isCancelled {
            for target in schedule.takeDue(now: steady(), limit: 10_000) {
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

    /// Scanner → store → courier, until the scanner has handed over its last scan. A scan stays in hand until it is
    /// recorded, so a full disk delays and loses nothing; if the task is cancelled the scans in hand are given up.
    func record() async {
        while true {
            let scans = await scanner.nextScans()
            guard !scans.isEmpty else { return }
            checkpoint("monitor.scanned")
            for scan in scans { assess(scan) }
            checkpoint("monitor.assessed")
            await record(scans)
            running.withLock { set in set.subtract(scans.map(\.target.id)) }
            scanner.release(scans.count)
        }
    }

    /// Records scans in one transaction; where that cannot be for a reason that stays, each by itself, so that what is
    /// wrong with one target costs the others nothing.
    private func record(_ scans: [Scan]) async {
        let first = scans.first?.target.identity.label ?? ""
        let others = scans.count > 1 ? " and \(scans.count - 1) more" : ""
        let end = await retrying("record scans of \(first)\(others)") { () async throws(StoreError) in
            if try await self.store.record(scans, assessor: self.book, now: Machine.now()).owed > 0 {
                self.checkpoint("monitor.recorded")
                self.owe()
            }
        }
        switch end {
        case .done: counts.recorded(scans)
        case .refused(let reason):
            guard scans.count == 1 else {
                for scan in scans { await record([scan]) }
                return
            }
            counts.lost(1)
            tellLoss("scans of \(first)", reason)
        case .cancelled(let reason):
            counts.lost(scans.count)
            tellLoss("scans of \(first)\(others)", reason)
        }
    }

    /// A reason that is the same for many targets is told once.
    private func tellLoss(_ what: String, _ reason: String) {
        if toldLoss.isNew(reason) {
            Terminal.log("error cannot record \(what), given up: \(reason)", at: Machine.now())
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

    /// Judges what time alone changes, every second, and prunes every hour. What cannot be done now is tried again at the
    /// next turn.
    private func keepTime() async {
        let judging = Attempts("judge what is due")
        let pruning = Attempts("remove what is older than the retention")
        var nextPrune = Machine.now() + 60
        while !Task.isCancelled {
            await judging.once { try await self.judgeDue() }
            if Machine.now() >= nextPrune {
                await pruning.once { _ = try await self.store.prune(self.retention, now: Machine.now()) }
                nextPrune = Machine.now() + 3_600
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func judgeDue() async throws {
        var judged = 500
        while judged == 500, !Task.isCancelled {
            let due = try await store.evaluateDue(assessor: book, now: Machine.now(), limit: 500)
            judged = due.judged
            if due.recorded.owed > 0 {
                checkpoint("monitor.judged")
                owe()
            }
            if let fault = due.fault { throw fault }
        }
    }

    private func period(of target: Target) -> Int64 {
        target.settings.periodSeconds ?? periodSeconds
    }

    /// How a step of the store ended.
    private enum End {
        case done
        /// For a reason that stays.
        case refused(String)
        /// The task was cancelled before it succeeded.
        case cancelled(String)
    }

    /// Does a step of the store until it succeeds or cannot, telling each new reason once.
    private func retrying(_ what: String, _ step: () async throws(StoreError) -> Void) async -> End {
        let told = LastReason()
        var pause = Duration.milliseconds(250)
        while true {
            do {
                try await step()
                return .done
            } catch {
                let reason = error.description
                guard error.isPassing else { return .refused(reason) }
                guard !Task.isCancelled else { return .cancelled(reason) }
                if told.isNew(reason) {
                    Terminal.log("error cannot \(what): \(reason); trying again", at: Machine.now())
                }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}
