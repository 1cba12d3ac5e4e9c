internal import PinwatchCore

/// The one connection that writes, with what is remembered of every target, on a thread of its own.
actor Writer {
    private nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    nonisolated let options: StoreOptions
    let startedAt: Instant
    private var opened: SQLiteConnection?
    /// Moves on only after a commit, so that it always equals the database.
    let memories = TargetMemories()
    var windows = GatheringWindows()
    /// Why the last transaction failed, if it was the database's fault.
    private var problem: StoreError?

    init(path: String, options: StoreOptions, startedAt: Instant) {
        self.path = path
        self.options = options
        self.startedAt = startedAt
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
            problem = nil
            return result
        } catch {
            problem = error
            throw error
        }
    }

    /// Reads outside a transaction, from the connection that sees its own writes first.
    func look<Result>(_ body: (any Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard let opened else { throw .closed }
        return try body(opened)
    }

    /// Writes and removes 64 KiB, so that a database that is merely able to change a row in place does not pass.
    func writeProblem() -> String? {
        guard let known = problem else { return opened == nil ? StoreError.closed.description : nil }
        do throws(StoreError) {
            try transaction { database throws(StoreError) in
                try database.run(
                    "INSERT INTO meta (name, value) VALUES ('probe', :value)",
                    [("value", .text(String(repeating: "-", count: 65_536)))])
                try database.run("DELETE FROM meta WHERE name = 'probe'")
            }
            return nil
        } catch {
            return known == error ? known.description : error.description
        }
    }

    /// For tests: limits or inspects the connection by a statement of their own.
    func statement(_ sql: String) throws(StoreError) -> [[Value]] {
        try look { database throws(StoreError) in try database.rows(sql).map(\.values) }
    }
}
