internal import PinwatchCore
internal import Synchronization

/// How often something was committed.
final class CommitCount: Sendable {
    private let count = Atomic<UInt64>(0)
    var value: UInt64 { count.load(ordering: .acquiring) }
    func add() { count.add(1, ordering: .releasing) }
}

/// The one connection that writes, with what is remembered of every target, on a thread of its own.
actor Writer {
    private nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated let path: String
    nonisolated let options: StoreOptions
    let startedAt: Instant
    private var opened: SQLiteConnection?
    /// Moves on only after a commit, so that it always equals the database.
    let memories = TargetMemories()
    var windows = GatheringWindows()
    /// What judgement goes by. Moves on only after a commit, in the same turn, so that it always agrees with the rows.
    var policy: EvaluationPolicy
    /// The policy's pin sets, for readers, who do not wait for the writer.
    nonisolated let pinSetsInForce = PinSetsInForce()
    nonisolated let commits = CommitCount()
    /// Why the last transaction failed, with an error that passes; `nil` once one has succeeded.
    private var trouble: StoreError?
    /// Why work of a kind failed, with an error that does not pass; until work of that kind has succeeded.
    private var faults: [Work: StoreError] = [:]
    /// When it was last known that the database can be written.
    private var writableAt: Instant?

    /// What the service does all the time, so that its success tells that a fault was mended.
    enum Work: CaseIterable {
        case scans, judgement, sending, pruning
    }

    init(path: String, options: StoreOptions, startedAt: Instant) {
        self.path = path
        self.options = options
        self.startedAt = startedAt
        let scan = Configuration.ScanSettings()
        policy = EvaluationPolicy(
            thresholds: Configuration.Thresholds(), periodSeconds: scan.periodSeconds, routes: [], channels: [],
            pinSets: [], timeZones: options.timeZones, scanningSince: startedAt)
    }

    func open() throws(StoreError) {
        opened = try SQLiteConnection.writer(path: path, options: options)
    }

    func close() throws(StoreError) {
        guard let connection = opened else { return }
        opened = nil
        try connection.checkpoint()
    }

    /// One transaction; remembers whether it could be written.
    func transaction<Result>(
        _ body: (any Database) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard let opened else { throw .closed }
        do {
            let result = try opened.write { () throws(StoreError) in try body(opened) }
            commits.add()
            trouble = nil
            return result
        } catch {
            if error.isPassing { trouble = error }
            throw error
        }
    }

    /// As ``transaction(_:)``, for a body that may refuse for reasons of its own; a refusal says nothing of the database.
    func attempt<Result>(_ body: (any Database) throws -> Result) throws -> Result {
        guard let opened else { throw StoreError.closed }
        do {
            let result = try opened.attempt { try body(opened) }
            commits.add()
            trouble = nil
            return result
        } catch {
            if let error = error as? StoreError, error.isPassing { trouble = error }
            throw error
        }
    }

    /// Runs work of one kind, and remembers how it ended if trying again will not mend it.
    func perform<Result>(
        _ work: Work, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            let result = try body()
            faults[work] = nil
            return result
        } catch {
            if !error.isPassing { faults[work] = error }
            throw error
        }
    }

    /// - Throws: ``StoreError/closed``.
    func connection() throws(StoreError) -> any Database {
        guard let opened else { throw .closed }
        return opened
    }

    /// Reads outside a transaction, from the connection that sees its own writes first.
    func look<Result>(_ body: (any Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard let opened else { throw .closed }
        return try body(opened)
    }

    /// For how long a write that succeeded answers for the next, in seconds: anyone may ask.
    private static let probeSeconds: Int64 = 10

    /// Why the work cannot be done, in words for anyone.
    ///
    /// A write is tried if the last one failed or is some seconds old: of 64 KiB, which are removed again, so that a
    /// database that is merely able to change a row in place does not pass. It says nothing about work that fails for
    /// a reason of its own, so such a fault stays in the answer until its kind of work has succeeded.
    func writeProblem(now: Instant) -> String? {
        guard opened != nil else { return StoreError.closed.plainWords }
        if let fault = Work.allCases.lazy.compactMap({ self.faults[$0] }).first { return fault.plainWords }
        if trouble == nil, let writableAt, (0..<Self.probeSeconds).contains(now.seconds(since: writableAt)) {
            return nil
        }
        do throws(StoreError) {
            try transaction { database throws(StoreError) in
                try database.run(
                    """
                    INSERT INTO meta (name, value) VALUES ('probe', :value)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """, [("value", .text(String(repeating: "-", count: 65_536)))])
                try database.run("DELETE FROM meta WHERE name = 'probe'")
            }
            writableAt = now
            return nil
        } catch {
            return error.plainWords
        }
    }

    /// For tests: limits or inspects the connection by a statement of their own.
    func statement(_ sql: String) throws(StoreError) -> [[Value]] {
        try look { database throws(StoreError) in try database.rows(sql).map(\.values) }
    }
}
