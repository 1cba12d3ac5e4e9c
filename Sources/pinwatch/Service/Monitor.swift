internal import PinwatchCore
internal import PinwatchScan
internal import PinwatchStore
internal import PinwatchTLS
internal import Synchronization

/// Where scans come from: the ``Scanner``, whose words these are.
protocol ScanSource: Sendable {
    func submit(_ scan: DueScan, at due: Instant) -> Bool
    func nextScans() async -> [Scan]
    func release(_ scans: Int)
}

extension Scanner: ScanSource {}

/// What the monitor goes by that a reload may change.
struct MonitorRules: Sendable, Hashable {
    /// Of targets without one of their own.
    var periodSeconds: Int64
    /// Between scans with hellos narrowed to each key family.
    var narrowedSeconds: Int64
    var retention: Configuration.Retention
    /// Trust stores that pin sets name for themselves.
    var ownTrustStores: Set<String>

    init(_ configuration: Configuration, ownTrustStores: Set<String> = []) {
        self.ownTrustStores = ownTrustStores
        periodSeconds = configuration.scan.periodSeconds
        narrowedSeconds = configuration.scan.narrowedEverySeconds
        retention = configuration.retention
    }
}

/// The pipeline, top to bottom: due targets are scanned; what they served is recorded, judged and owed to channels in one
/// transaction; what is owed is delivered. A clock judges again what changes by time alone.
final class Monitor: Sendable {
    private let scanner: any ScanSource
    private let store: Store
    private let book: ChainBook
    private let counts: ScanCounts
    private let checkpoint: @Sendable (StaticString) -> Void
    private let visits = Visits()
    private let pulse: Pulse
    private let rules: Mutex<MonitorRules>
    private let toldLoss = LastReason()
    /// What comes to be watched, changes, or goes: at the start everything.
    let changes = ScheduleChanges()

    /// - Parameters:
    ///   - pulse: Told of each turn of the loops that keep time, for whoever watches over them.
    ///   - checkpoint: Called between any two steps, with a name; for tests that end the process there.
    init(
        scanner: any ScanSource, store: Store, book: ChainBook, rules: MonitorRules, counts: ScanCounts,
        pulse: Pulse = Pulse(), checkpoint: @escaping @Sendable (StaticString) -> Void
    ) {
        self.scanner = scanner
        self.store = store
        self.book = book
        self.counts = counts
        self.pulse = pulse
        self.checkpoint = checkpoint
        self.rules = Mutex(rules)
    }

    /// From now on goes by other rules, as after a reload.
    func use(_ rules: MonitorRules) { self.rules.withLock { $0 = rules } }

    /// Has targets scanned when they are due and judges what time changes, until the task is cancelled.
    ///
    /// - Parameter steady: A clock that nobody sets, beginning at the present time.
    func drive(steady: @escaping @Sendable () -> Instant) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.dispatch(steady) }
            group.addTask { await self.keepTime() }
        }
    }

    /// Configuration → schedule → scanner.
    private func dispatch(_ steady: @Sendable () -> Instant) async {
        var schedule = Schedule()
        while !Task.isCancelled {
            let (period, narrowed) = rules.withLock { ($0.periodSeconds, $0.narrowedSeconds) }
            for (id, change) in changes.take() {
                switch change {
                case .watch(let target, let lastScanAt):
                    schedule.set(
                        target, periodSeconds: target.settings.periodSeconds ?? period, narrowedSeconds: narrowed,
                        lastScanAt: lastScanAt, now: steady())
                case .forget: schedule.remove(id)
                }
            }
            for scan in schedule.takeDue(now: steady(), limit: 10_000) {
                guard visits.begin(scan.target.id), submit(scan) else {
                    counts.skipped()
                    continue
                }
            }
            pulse.beat(.dispatch)
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Hands a target that is under way to the scanner; one that it does not take is under way no longer.
    private func submit(_ scan: DueScan) -> Bool {
        guard scanner.submit(scan, at: Machine.now()) else {
            _ = visits.end(scan.target.id, nil)
            return false
        }
        checkpoint("monitor.submitted")
        return true
    }

    /// Has a target scanned now by every hello, whatever its schedule; while it is being scanned, once more after that.
    ///
    /// - Parameter limit: How long the answer is waited for; zero returns at once.
    /// - Returns: What the scan saw, once it is recorded; `nil` if that was not within the limit.
    func scan(_ target: Target, within limit: Duration) async throws(ChangeRefusal) -> [Observation]? {
        if visits.beginByHand(target), !submit(DueScan(target: target, hellos: .everyFamily)) {
            throw .conflict("The scanner takes no more now: it is stopping, or too many targets wait. Try again later.")
        }
        return limit > .zero ? await visits.answer(of: target.id, within: limit) : nil
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
            scanner.release(scans.count)
        }
    }

    /// Records scans in one transaction; where that cannot be for a reason that stays, each by itself, so that what is
    /// wrong with one target costs the others nothing.
    private func record(_ scans: [Scan]) async {
        let first = scans.first?.target.identity.label ?? ""
        let others = scans.count > 1 ? " and \(scans.count - 1) more" : ""
        var moved: Set<TargetID> = []
        let end = await retrying("record scans of \(first)\(others)") { () async throws(StoreError) in
            let recorded = try await self.store.record(scans, assessor: self.book, now: Machine.now())
            moved = recorded.moved
            if recorded.owed > 0 {
                self.checkpoint("monitor.recorded")
            }
        }
        switch end {
        case .done:
            counts.recorded(scans)
            for scan in scans { finish(scan, isToBeNarrowed: moved.contains(scan.target.id)) }
        case .refused(let reason):
            guard scans.count == 1 else {
                for scan in scans { await record([scan]) }
                return
            }
            counts.lost(1)
            giveUp(scans[0])
            tellLoss("scans of \(first)", reason)
        case .cancelled(let reason):
            counts.lost(scans.count)
            for scan in scans { giveUp(scan) }
            tellLoss("scans of \(first)\(others)", reason)
        }
    }

    /// Tells those who asked for a scan by hand, and begins the one that somebody asked for meanwhile; else one that asks
    /// for each key family, where the scan saw something new and had not asked.
    private func finish(_ scan: Scan, isToBeNarrowed: Bool) {
        let (id, target) = (scan.target.id, scan.target)
        var next = visits.end(id, scan.observations)
        if next == nil, isToBeNarrowed, visits.begin(id) { next = target }
        begin(next)
    }

    private func giveUp(_ scan: Scan) { begin(visits.end(scan.target.id, nil)) }

    private func begin(_ target: Target?) {
        guard let target else { return }
        if !submit(DueScan(target: target, hellos: .everyFamily)) { counts.skipped() }
    }

    /// A reason that is the same for many targets is told once.
    private func tellLoss(_ what: String, _ reason: String) {
        if toldLoss.isNew(reason) {
            Log.error(.monitor, "cannot record \(what), given up: \(reason)")
        }
    }

    /// Builds paths before the transaction, which then finds them made: to the target's trust store and to those of
    /// releases with one of their own.
    private func assess(_ scan: Scan) {
        let trustStores = rules.withLock(\.ownTrustStores).union([scan.target.settings.trustStore])
        for chain in Set(scan.observations.compactMap(\.chain)) {
            for trustStore in trustStores { _ = book.assess(chain, trustStore: trustStore, now: Machine.now()) }
        }
    }

    /// Judges what time alone changes, every second, and prunes every hour. What cannot be done now is tried again at the
    /// next turn.
    private func keepTime() async {
        let judging = Attempts("judge what is due")
        let pruning = Attempts("remove what is older than the retention")
        var (nextPrune, last) = (Machine.now() + 60, Machine.now())
        while !Task.isCancelled {
            if let slept = Self.sleep(from: last, to: Machine.now()) {
                Log.warning(.monitor, "nothing went on for \(slept) s: the machine slept, or its clock was set")
                await store.scanningResumes(at: Machine.now())
            }
            await judging.once { try await self.judgeDue() }
            if Machine.now() >= nextPrune {
                let retention = rules.withLock(\.retention)
                await pruning.once { try await self.prune(retention) }
                nextPrune = Machine.now() + 3_600
            }
            pulse.beat(.time)
            last = Machine.now()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Seconds that two turns of a loop, between which a second is waited, lie too far apart to be of one waking;
    /// `nil` if they do not.
    static func sleep(from last: Instant, to now: Instant) -> Int64? {
        let gap = now.seconds(since: last)
        return gap > 60 ? gap : nil
    }

    /// Judges all that is due, batch by batch: after a reload that may be everything.
    ///
    /// - Parameter limit: Scopes of one batch.
    func judgeDue(limit: Int = 500) async throws {
        var judged = limit
        while judged == limit, !Task.isCancelled {
            let due = try await store.evaluateDue(assessor: book, now: Machine.now(), limit: limit)
            judged = due.judged
            pulse.beat(.time)
            if due.recorded.owed > 0 {
                checkpoint("monitor.judged")
            }
            if let fault = due.fault { throw fault }
        }
    }

    /// - Parameter batch: Rows of one transaction, from each table.
    func prune(_ retention: Configuration.Retention, batch: Int = 500) async throws {
        let pulse = pulse
        try await store.prune(retention, now: Machine.now(), batch: batch) { pulse.beat(.time) }
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
                    Log.error(.monitor, "cannot \(what): \(reason); trying again")
                }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}
