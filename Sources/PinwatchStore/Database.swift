internal import PinwatchCore

/// A value as both SQLite and PostgreSQL hold it. Flags are integers 0 and 1, instants integers of Unix seconds.
enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// Named values for a statement's `:name` parameters.
typealias Values = [(name: String, value: Value)]

/// One connection to a database, used from one thread at a time.
///
/// Statements keep to what SQLite ≥ 3.40 and PostgreSQL ≥ 15 share; a driver owns the schema.
protocol Database: AnyObject {
    /// Runs one statement and gives all its rows: callers bound their number by the statement.
    func rows(_ sql: String, _ values: Values) throws(StoreError) -> [Row]

    /// Runs one statement that gives no rows; the number of rows that it changed.
    @discardableResult
    func run(_ sql: String, _ values: Values) throws(StoreError) -> Int

    /// Runs `body` as one transaction that writes: all of it is kept, or, if anything throws, none.
    ///
    /// The body is synchronous, so that nothing else can enter between its statements.
    func write<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result

    /// As ``write(_:)``, for a body that may refuse for reasons of its own.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result

    /// Runs `body` against one state of the database.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result
}

extension Database {
    func rows(_ sql: String) throws(StoreError) -> [Row] { try rows(sql, []) }

    @discardableResult
    func run(_ sql: String) throws(StoreError) -> Int { try run(sql, []) }

    /// The first row, for statements that can give one at most.
    func row(_ sql: String, _ values: Values = []) throws(StoreError) -> Row? { try rows(sql, values).first }

    /// The single integer of a `count(*)` or `RETURNING id`.
    func number(_ sql: String, _ values: Values = []) throws(StoreError) -> Int64 {
        guard let row = try row(sql, values) else { throw .unreadableRow(column: 0, why: "no row came back") }
        return try row.integer(0)
    }
}

extension Value {
    static func optional(_ instant: Instant?) -> Value { instant.map { .integer($0.unixSeconds) } ?? .null }
    static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func optional(_ bytes: [UInt8]?) -> Value { bytes.map { .blob($0) } ?? .null }
    static func optional(_ number: Int64?) -> Value { number.map { .integer($0) } ?? .null }
    static func at(_ instant: Instant) -> Value { .integer(instant.unixSeconds) }
    static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
    static func digest(_ digest: SHA256Digest) -> Value { .blob(digest.bytes) }
    /// `nil` as empty bytes, so that it can stand in a key.
    static func address(_ address: IPAddress?) -> Value { .blob(address?.bytes ?? []) }
    /// `nil` as empty text, so that it can stand in a key.
    static func family(_ family: KeyFamily?) -> Value { .text(family?.rawValue ?? "") }
}
