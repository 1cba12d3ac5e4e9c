internal import PinwatchCore

/// One transaction's work on scans, judgement and what is managed.
///
/// It reads ``TargetMemories`` and writes to `policy`, `touched`, `forgotten`, `windows` and `commit`; the writer takes
/// these over after the commit, or forgets them with the transaction.
struct Recording {
    let database: any Database
    let options: StoreOptions
    let assessor: any ChainAssessor
    let startedAt: Instant
    let now: Instant
    private let memories: TargetMemories

    /// What is in force once this is committed.
    var policy: EvaluationPolicy
    var touched: [TargetID: TargetMemory] = [:]
    /// Targets whose rows changed beside what is remembered of them.
    var forgotten: Set<TargetID> = []
    var windows: GatheringWindows
    /// What is told of it.
    var commit = Commit()
    /// Targets that a scan without narrowed hellos saw another chain of, or at another address.
    var moved: Set<TargetID> = []
    /// Targets that a scan saw other chains of than before, or at other addresses.
    var shifted: Set<TargetID> = []
    /// Authorities without a trust store's word that a target came to, by ``UnknownAuthority/key``: their names.
    var candidates: [String: String] = [:]
    /// Whether the installation was judged by what is recorded here.
    var installationIsJudged = false
    /// Hosts to judge, in the order they were named.
    private(set) var hosts: [String] = []
    private var named: Set<String> = []

    init(
        database: any Database, options: StoreOptions, policy: EvaluationPolicy, assessor: any ChainAssessor,
        startedAt: Instant, now: Instant, memories: TargetMemories, windows: GatheringWindows
    ) {
        self.database = database
        self.options = options
        self.policy = policy
        self.assessor = assessor
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
        if let memory = touched[target] ?? (forgotten.contains(target) ? nil : memories.known[target]) { return memory }
        return try TargetMemory.load(
            target, flapWindowSeconds: policy.thresholds.flapWindowSeconds, now: now, from: database)
    }

    /// The chain's assessment; reads the chain from the database only if the assessor has not seen it.
    func assessment(_ chain: ChainID, _ trustStore: String) throws(StoreError) -> ChainAssessment? {
        try typed {
            try assessor.assessment(of: chain, trustStore: trustStore, now: now) {
                try database.chain(chain)
            }
        }
    }
}

extension Commit {
    /// Notes that a definition changed, which whoever reads it is told of too.
    mutating func define(_ definition: Definition) {
        definitions.insert(definition)
        switch definition {
        case .channels: topics.insert(.channels)
        case .pinSets: topics.insert(.pinSets)
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
