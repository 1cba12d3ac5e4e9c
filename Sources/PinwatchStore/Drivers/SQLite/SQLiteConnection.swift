internal import CSQLite

/// One connection, confined to the actor that owns it.
///
/// It is opened with `SQLITE_OPEN_NOMUTEX`: "multi-thread: SQLite can be safely used by multiple threads provided
/// that no single database connection is used simultaneously in two or more threads" (sqlite.org/threadsafe.html).
/// The owner's serial executor is what provides that, so the class is deliberately not `Sendable`.
@safe
final class SQLiteConnection: Database {
    enum Mode {
        /// Creates the file if there is none.
        case write
        /// Never writes, not even a WAL file next to a database that is not in WAL mode.
        case read
    }

    let handle: OpaquePointer
    /// Held until the connection has closed; ``writer(path:options:)`` takes it.
    var serviceLock: ServiceLock?
    private var statements: [String: SQLiteStatement] = [:]
    /// Statements kept compiled: more than the store has, apart from lists' combinations of filters.
    private static let cachedStatements = 200

    init(path: String, mode: Mode, busyMilliseconds: Int32) throws(StoreError) {
        let access =
            switch mode {
            case .write: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .read: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let handle = unsafe opened, code == SQLITE_OK else {
            let why = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close_v2(opened)
            throw .cannotOpen(path: path, why: why)
        }
        unsafe self.handle = handle
        unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    func rows(_ sql: String, _ values: Values) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        try statement(sql).run(values) { rows.append($0) }
        return rows
    }

    @discardableResult
    func run(_ sql: String, _ values: Values) throws(StoreError) -> Int {
        try statement(sql).run(values) { _ in }
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// Runs statements without parameters, several at once, outside the cache: for schemas and pragmas.
    func script(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw unsafe SQLiteStatement.error(code, handle, sql: String(sql.prefix(60)))
        }
    }

    func write<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            try rollBack()
            throw error
        }
    }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            try rollBack()
            throw error
        }
    }

    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            try rollBack()
            throw error
        }
    }

    /// A full disk or a failed write makes SQLite roll back by itself (lang_transaction.html, "Response To Errors").
    private func rollBack() throws(StoreError) {
        if unsafe sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
    }

    private func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let made = try unsafe SQLiteStatement(sql, on: handle)
        if statements.count >= Self.cachedStatements { statements.removeAll() }
        statements[sql] = made
        return made
    }
}
