internal import PinwatchCore

/// One transaction's work on scans and judgement.
///
/// It reads ``TargetMemories`` and writes to `touched` and `windows`; the writer takes these over after the commit, or
/// forgets them with the transaction.
struct Recording {
    let database: any Database
    let options: StoreOptions
    let judge: Judge
    let startedAt: Instant
    let now: Instant
    private let memories: TargetMemories

    var touched: [TargetID: TargetMemory] = [:]
    var windows: GatheringWindows
    var events: [EventRecord] = []
    /// Outbox rows written.
    var owed = 0
    /// Hosts to judge, in the order they were named.
    private(set) var hosts: [String] = []
    private var named: Set<String> = []

    init(
        database: any Database, options: StoreOptions, judge: Judge, startedAt: Instant, now: Instant,
        memories: TargetMemories, windows: GatheringWindows
    ) {
        self.database = database
        self.options = options
        self.judge = judge
        self.startedAt = startedAt
        self.now = now
        self.memories = memories
        self.windows = windows
    }

    mutating func mark(host: String) {
        if named.insert(host).inserted { hosts.append(host) }
    }

    /// What is known of a target; `nil` if it is no longer configured.
    func memory(of target: TargetID) throws(StoreError) -> TargetMemory? {
        if let memory = touched[target] ?? memories.known[target] { return memory }
        return try TargetMemory.load(target, flapWindowSeconds: options.flapWindowSeconds, now: now, from: database)
    }

    /// The chain's assessment; reads the chain from the database only if the assessor has not seen it.
    func assessment(_ chain: ChainID, _ trustStore: String) throws(StoreError) -> ChainAssessment? {
        try typed {
            try judge.assessor.assessment(of: chain, trustStore: trustStore, now: now) {
                try database.chain(chain)
            }
        }
    }
}

/// Gives an error its type back after a `rethrows` function of Core; nothing but this room's closures throws there.
func typed<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do {
        return try body()
    } catch let error as StoreError {
        throw error
    } catch {
        preconditionFailure("a closure of the store threw something else: \(error)")
    }
}
