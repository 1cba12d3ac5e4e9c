internal import CSQLite

/// One compiled statement; finalised with the last reference to it, before its connection closes.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    init(_ sql: String, on connection: OpaquePointer) throws(StoreError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let handle = unsafe prepared else {
            throw unsafe Self.error(code, connection, sql: sql)
        }
        self.sql = sql
        unsafe self.connection = connection
        unsafe self.handle = handle
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Binds every value by name, steps to the end, and leaves the statement ready for the next run.
    func run(_ values: Values, each: (Row) -> Void) throws(StoreError) {
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
        }
        for (name, value) in values {
            let index = unsafe sqlite3_bind_parameter_index(handle, ":" + name)
            precondition(index > 0, "a statement has no parameter of that name")
            let code = bind(value, at: index)
            guard code == SQLITE_OK else { throw unsafe Self.error(code, connection, sql: sql) }
        }
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: each(row())
            case SQLITE_DONE: return
            default: throw unsafe Self.error(code, connection, sql: sql)
            }
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { utf8 in
                unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                    unsafe pinwatch_bind_text(handle, index, characters.baseAddress, Int32(clamping: characters.count))
                }
            }
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe pinwatch_bind_blob(handle, index, buffer.baseAddress, Int32(clamping: buffer.count))
            }
        }
    }

    private func row() -> Row {
        let count = unsafe sqlite3_column_count(handle)
        return Row(values: (0..<count).map(column))
    }

    private func column(_ index: Int32) -> Value {
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            guard let text = unsafe sqlite3_column_text(handle, index) else { return .text("") }
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            return unsafe .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = unsafe sqlite3_column_blob(handle, index) else { return .blob([]) }
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            return unsafe .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }

    /// Extended result codes keep the primary code in their low byte (rescode.html).
    static func error(_ code: Int32, _ connection: OpaquePointer, sql: String) -> StoreError {
        let why = unsafe String(cString: sqlite3_errmsg(connection))
        let doing = sql.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
        return switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked(doing: doing)
        case SQLITE_FULL: .full(doing: doing)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .readOnly(doing: doing)
        case SQLITE_IOERR, SQLITE_NOMEM: .failing(doing: doing, why: why)
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(doing: doing, why: why)
        default: .refused(code: code, why: why, doing: doing)
        }
    }
}
