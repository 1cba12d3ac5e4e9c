internal import CSQLite

/// A copy of one database into another under way, page by page (sqlite.org/backup.html).
///
/// The source holds a read transaction for as long: in WAL mode it then gives one state, whatever is written meanwhile,
/// and the copy never begins again. Writers are not kept waiting; only their WAL cannot be emptied until the end.
@safe
final class SQLiteBackup {
    private let handle: OpaquePointer
    private let source: SQLiteConnection
    private let destination: SQLiteConnection

    init(from source: SQLiteConnection, to destination: SQLiteConnection) throws(StoreError) {
        try source.script("BEGIN; SELECT count(*) FROM sqlite_schema;")
        guard
            let handle = unsafe sqlite3_backup_init(destination.handle, "main", source.handle, "main")
        else {
            throw unsafe SQLiteStatement.error(
                sqlite3_extended_errcode(destination.handle), destination.handle, sql: "backup")
        }
        unsafe self.handle = handle
        self.source = source
        self.destination = destination
    }

    /// Frees the copy; the transaction ends with the source's connection.
    deinit { unsafe sqlite3_backup_finish(handle) }

    /// Copies some pages.
    ///
    /// - Returns: Whether there are more.
    func step(pages: Int32) throws(StoreError) -> Bool {
        switch unsafe sqlite3_backup_step(handle, pages) {
        case SQLITE_OK: return true
        case SQLITE_DONE: return false
        case let code: throw unsafe SQLiteStatement.error(code, destination.handle, sql: "backup step")
        }
    }
}
