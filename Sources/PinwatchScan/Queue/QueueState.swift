internal import PinwatchCore

/// What is to be done once the lock is given back.
struct QueueEffects {
    struct Lookup {
        let scan: Int
        let name: HostName
        /// Whether the name is the proxy's rather than the target's.
        let isOfProxy: Bool
        let timeoutMilliseconds: Int64
    }

    var wakes: [Int] = []
    var lookups: [Lookup] = []
    var scans: [Scan] = []
    var consumer: CheckedContinuation<[Scan], Never>?
    var stopped: [CheckedContinuation<Void, Never>] = []
}

/// The scanner's books: waiting targets, open scans, slots, and finished scans. Pure moves, no I/O.
///
/// Bounds: waiting targets by `waitingLimit`; scans that are open, finished or taken but not released by
/// `settings.openScans`, and in bytes by `settings.heldBytes`; addresses being visited by `settings.inFlight`, of one target by a quarter of it.
struct QueueState {
    /// Twice the targets that one machine is built for.
    static let waitingLimit = 200_000

    private enum Phase {
        case running
        case draining(by: MonotonicTime)
        case ended
    }

    private struct Loop {
        var inbox: [AddressJob] = []
        var isSignalled = false
        var load = 0
    }

    private var settings: ScannerSettings
    private var rules: AddressRules
    private var credentials = ClientCredentials()
    private var phase = Phase.running
    private var waiting = FIFO<(scan: DueScan, due: Instant)>()
    private var open: [Int: OpenScan] = [:]
    private var lastKey = 0
    /// Open scans that want slots, one turn each.
    private var line = FIFO<Int>()
    private var inFlight = 0
    /// The last is for long messages and gets only what others hand on.
    private var loops: [Loop]
    private var endedLoops = 0
    private var finished: [Scan] = []
    /// Finished, or taken and not yet released.
    private var held: Int { heldSizes.count }
    /// Their sizes in bytes, in the order finished, which is that in which they are taken and roughly released.
    private var heldSizes = FIFO<Int>()
    private var heldBytes = 0
    private var consumer: CheckedContinuation<[Scan], Never>?
    private var stopping: [CheckedContinuation<Void, Never>] = []
    private var effects = QueueEffects()

    /// - Parameter loops: Those that begin visits; one more goes on with those that others hand on.
    init(settings: ScannerSettings, loops: Int) {
        self.settings = settings
        rules = AddressRules(denied: settings.denyAddresses)
        self.loops = Array(repeating: Loop(), count: loops + 1)
    }

    mutating func submit(_ scan: DueScan, at due: Instant) -> Bool {
        guard case .running = phase, waiting.count < Self.waitingLimit else { return false }
        waiting.append((scan, due))
        return true
    }

    /// For whatever begins from now on; the number in flight stays.
    mutating func use(_ new: ScannerSettings, _ credentials: ClientCredentials) {
        self.credentials = credentials
        let inFlight = settings.inFlight
        settings = new
        settings.inFlight = inFlight
        rules = AddressRules(denied: new.denyAddresses)
    }

    func load(now: Instant) -> ScannerLoad {
        ScannerLoad(
            waiting: waiting.count, open: open.count, inFlight: inFlight, unreleased: held,
            oldestWaitSeconds: waiting.first.map { max(0, now.seconds(since: $0.due)) } ?? 0)
    }

    mutating func release(_ scans: Int) {
        for _ in 0..<max(scans, 0) { heldBytes -= heldSizes.popFirst() ?? 0 }
    }

    /// Opens scans, gives slots out in turn, and hands finished scans to whoever waits.
    mutating func advance(now: Instant, caller: Int? = nil) -> QueueEffects {
        while hasRoom, open.count + held < settings.openScans, let next = waiting.popFirst() {
            openScan(next.scan, due: next.due, now: now)
        }
        while hasRoom, inFlight < settings.inFlight, let key = line.popFirst() { giveSlot(to: key, caller: caller) }
        handOver()
        if case .draining = phase, open.isEmpty {
            for loop in loops.indices { signal(loop) }
        }
        return takeEffects()
    }

    /// Only what is held counts, never what is open: open scans must be able to finish, for nothing else frees them.
    private var hasRoom: Bool { heldBytes < settings.heldBytes }

    private mutating func openScan(_ scan: DueScan, due: Instant, now: Instant) {
        let target = scan.target
        lastKey += 1
        open[lastKey] = OpenScan(
            target: target, hellos: scan.hellos, startedAt: due, proxy: settings.proxy,
            client: credentials.offer(to: target.settings))
        switch target.host {
        case _ where !target.settings.addresses.isEmpty: found(lastKey, target.settings.addresses.unique, now: now)
        case .address(let address): found(lastKey, [address], now: now)
        case .name(let name): lookUp(name, for: lastKey, isOfProxy: false)
        }
    }

    private mutating func lookUp(_ name: HostName, for key: Int, isOfProxy: Bool) {
        effects.lookups.append(
            .init(
                scan: key, name: name, isOfProxy: isOfProxy, timeoutMilliseconds: settings.timeoutMilliseconds))
    }

    mutating func resolved(_ key: Int, _ result: Result<[IPAddress], ResolveFailure>, now: Instant) {
        switch result {
        case .success(let addresses):
            let policy = open[key]?.policy ?? settings.addresses
            let limit = policy == .first ? 1 : settings.maxAddresses
            found(key, Array(addresses.unique.prefix(limit)), now: now)
        case .failure(let failure):
            open[key]?.failed(failure, now: now)
            close(key, now: now)
        }
    }

    private mutating func found(_ key: Int, _ addresses: [IPAddress], now: Instant) {
        let rules = rules
        open[key]?.resolved(addresses, rules: rules, now: now)
        guard let proxy = open[key]?.proxyNeeded else { return begin(key, now: now) }
        switch proxy.host {
        case .address(let address): proxyFound(key, proxy, [address], now: now)
        case .name(let name): lookUp(name, for: key, isOfProxy: true)
        }
    }

    mutating func proxyResolved(_ key: Int, _ result: Result<[IPAddress], ResolveFailure>, now: Instant) {
        guard let proxy = open[key]?.proxy else { return }
        switch result {
        case .success(let addresses): proxyFound(key, proxy, addresses.unique, now: now)
        case .failure(let failure):
            open[key]?.proxyFailed(proxy, failure, now: now)
            begin(key, now: now)
        }
    }

    private mutating func proxyFound(_ key: Int, _ proxy: EgressProxy, _ addresses: [IPAddress], now: Instant) {
        open[key]?.proxyResolved(proxy, Array(addresses.prefix(settings.maxAddresses)))
        begin(key, now: now)
    }

    private mutating func begin(_ key: Int, now: Instant) {
        guard let scan = open[key] else { return }
        if scan.isFinished { close(key, now: now) } else { enterLine(key) }
    }

    private mutating func enterLine(_ key: Int) {
        guard let scan = open[key], scan.hasPending, !scan.isInLine, scan.running < settings.inFlightPerTarget else {
            return
        }
        open[key]?.isInLine = true
        line.append(key)
    }

    private mutating func giveSlot(to key: Int, caller: Int?) {
        open[key]?.isInLine = false
        guard
            let job = open[key]?.nextJob(
                scan: key, timeoutMilliseconds: settings.timeoutMilliseconds)
        else { return }
        inFlight += 1
        let loop = leastLoaded(preferring: caller)
        loops[loop].load += 1
        loops[loop].inbox.append(job)
        if loop != caller { signal(loop) }
        enterLine(key)
    }

    /// The caller fetches its jobs without a wake-up, so it may be a little ahead of the others.
    private func leastLoaded(preferring caller: Int?) -> Int {
        let beginners = loops.indices.dropLast()
        let least = beginners.min { loops[$0].load < loops[$1].load } ?? 0
        if let caller, beginners.contains(caller), loops[caller].load <= loops[least].load + 8 { return caller }
        return least
    }

    private mutating func signal(_ loop: Int) {
        guard !loops[loop].isSignalled else { return }
        loops[loop].isSignalled = true
        effects.wakes.append(loop)
    }

    mutating func finish(_ results: [AddressResult], loop: Int, now: Instant) {
        inFlight -= results.count
        loops[loop].load -= results.count
        for result in results {
            open[result.scan]?.finish(result)
            guard let scan = open[result.scan] else { continue }
            if scan.isFinished { close(result.scan, now: now) } else { enterLine(result.scan) }
        }
    }

    /// Puts visits that a loop began in the hands of the one for long messages.
    mutating func handOn(_ jobs: [AddressJob], from loop: Int) {
        guard !jobs.isEmpty else { return }
        let last = loops.count - 1
        loops[loop].load -= jobs.count
        loops[last].load += jobs.count
        loops[last].inbox += jobs
        signal(last)
    }

    private mutating func close(_ key: Int, now: Instant) {
        guard let scan = open.removeValue(forKey: key) else { return }
        let done = scan.scan(endedAt: now)
        finished.append(done)
        heldSizes.append(done.size)
        heldBytes += done.size
    }

    mutating func orders(loop: Int, time: MonotonicTime) -> LoopOrders {
        defer {
            loops[loop].inbox = []
            loops[loop].isSignalled = false
        }
        switch phase {
        case .running: return LoopOrders(jobs: loops[loop].inbox)
        case .draining(let limit):
            return LoopOrders(jobs: loops[loop].inbox, askAgain: limit, ends: open.isEmpty || limit <= time)
        case .ended: return LoopOrders(ends: true)
        }
    }

    private mutating func takeEffects() -> QueueEffects {
        defer { effects = QueueEffects() }
        return effects
    }
}

extension QueueState {
    mutating func wait(_ continuation: CheckedContinuation<[Scan], Never>, isCancelled: Bool) -> QueueEffects {
        precondition(consumer == nil, "finished scans have one taker")
        consumer = continuation
        if isCancelled { return cancelWait() }
        handOver()
        return takeEffects()
    }

    mutating func cancelWait() -> QueueEffects {
        effects.consumer = consumer
        consumer = nil
        return takeEffects()
    }

    private mutating func handOver() {
        var isOver = false
        if case .ended = phase { isOver = true }
        guard let consumer, isOver || !finished.isEmpty else { return }
        effects.consumer = consumer
        effects.scans = finished
        finished = []
        self.consumer = nil
    }

    mutating func stop(by limit: MonotonicTime, _ continuation: CheckedContinuation<Void, Never>) -> QueueEffects {
        switch phase {
        case .running:
            phase = .draining(by: limit)
            waiting.removeAll()
            stopping.append(continuation)
            for loop in loops.indices { signal(loop) }
        case .draining: stopping.append(continuation)
        case .ended: effects.stopped.append(continuation)
        }
        return takeEffects()
    }

    mutating func loopEnded() -> QueueEffects {
        endedLoops += 1
        if endedLoops == loops.count {
            phase = .ended
            open.removeAll()
            line.removeAll()
            handOver()
            effects.stopped += stopping
            stopping = []
        }
        return takeEffects()
    }
}

extension Scan {
    /// What it weighs in memory, roughly: the bytes that servers sent.
    fileprivate var size: Int {
        observations.reduce(0) { sum, observation in
            let chain = observation.chain?.certificates.reduce(0) { $0 + $1.der.count } ?? 0
            return sum + chain + (observation.stapledOCSP?.count ?? 0)
        }
    }
}

extension [IPAddress] {
    /// Each address once, at its first place.
    fileprivate var unique: [IPAddress] {
        var seen: Set<IPAddress> = []
        return filter { seen.insert($0).inserted }
    }
}
