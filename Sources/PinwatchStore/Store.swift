package import PinwatchCore
internal import Synchronization

/// How a store behaves; the defaults are those of the service.
package struct StoreOptions: Sendable {
    /// How long a statement waits for another process's lock before it fails as ``StoreError/locked(doing:)``.
    package var busyMilliseconds: Int32
    /// Whether to be the one service of the database, which a second process is not allowed while this one lives or
    /// the store is open. Commands that open the database beside a running service leave it out.
    package var serves: Bool
    /// Called between the steps of a transaction with the step's name, such as `store.record.after_spans`: for tests
    /// that stop the process there.
    package var checkpoint: @Sendable (StaticString) -> Void
    /// Told of every commit that brought something, in their order, on the writer's thread, which waits for it: it must
    /// be cheap, and must not call the store.
    package var committed: @Sendable (Commit) -> Void
    /// The zones of weekly silences.
    package var timeZones: any TimeZones
    /// What tells which targets' names have nothing to do with one another; without it their last two labels do.
    package var suffixes: (any PublicSuffixes)?

    package init(
        busyMilliseconds: Int32 = 2_000, serves: Bool = false,
        checkpoint: @escaping @Sendable (StaticString) -> Void = { _ in },
        committed: @escaping @Sendable (Commit) -> Void = { _ in }, timeZones: any TimeZones = UniversalTime(),
        suffixes: (any PublicSuffixes)? = nil
    ) {
        self.busyMilliseconds = busyMilliseconds
        self.serves = serves
        self.checkpoint = checkpoint
        self.committed = committed
        self.timeZones = timeZones
        self.suffixes = suffixes
    }
}

/// The only writer of truth: one database with one connection that writes and two that read, each on its own thread.
///
/// Every method that writes is one transaction, or says in how many it works. Errors are ``StoreError``, and
/// ``StoreRefusal`` for a list that was asked for wrongly.
package final class Store: Sendable {
    let writer: Writer
    private let readers: [Reader]
    private let turn = Atomic<Int>(0)
    let tokenUses = TokenUses()

    private init(writer: Writer, readers: [Reader]) {
        self.writer = writer
        self.readers = readers
    }

    /// Opens the database at `path`, making or migrating it.
    ///
    /// - Parameter now: When the service started: what the installation's `scan.stale` counts from until a first scan.
    /// - Throws: ``StoreError/foreign(path:what:)``, ``StoreError/newer(path:version:known:)`` and
    ///   ``StoreError/served(path:)`` before anything was changed.
    package static func open(
        path: String, options: StoreOptions = StoreOptions(), now: Instant
    ) async throws(StoreError) -> Store {
        let writer = Writer(path: path, options: options, startedAt: now)
        try await writer.open()
        let readers = [Reader(), Reader()]
        for reader in readers { try await reader.open(path: path, busyMilliseconds: options.busyMilliseconds) }
        return Store(writer: writer, readers: readers)
    }

    /// Waits for what is being written, moves the WAL into the database, and closes; later calls throw
    /// ``StoreError/closed``.
    package func close() async throws(StoreError) {
        for reader in readers { await reader.close() }
        try await writer.close()
    }

    /// Runs `body` on a reading connection against one state of the database.
    func read<Result: Sendable>(
        _ body: @Sendable (any Database) throws -> Result
    ) async throws -> Result {
        let next = turn.add(1, ordering: .relaxed).newValue
        return try await readers[next & 1].read(body)
    }
}

/// One reading connection on a thread of its own.
actor Reader {
    private nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private var opened: SQLiteConnection?

    func open(path: String, busyMilliseconds: Int32) throws(StoreError) {
        opened = try SQLiteConnection.reader(path: path, busyMilliseconds: busyMilliseconds)
    }

    func close() { opened = nil }

    func read<Result: Sendable>(_ body: @Sendable (any Database) throws -> Result) throws -> Result {
        guard let opened else { throw StoreError.closed }
        return try opened.snapshot { try body(opened) }
    }
}
