internal import PinwatchCore

/// A list read page by page, each page beginning after the last item of the one before (keyset pagination), so that
/// rows which come or go meanwhile neither repeat nor hide others.
struct Listing {
    let name: String
    let columns: String
    let source: String
    /// What the conditions alone need of `source`, with as many rows: what is counted.
    let counted: String
    /// Expressions that sort, all in one direction and none of them NULL; together unique.
    var keys: [String]
    var descending: Bool
    private(set) var conditions: [String] = []
    private(set) var values: Values = []

    init(
        _ name: String, columns: String, source: String, counted: String? = nil, keys: [String],
        descending: Bool = false
    ) {
        self.name = name
        self.columns = columns
        self.source = source
        self.counted = counted ?? source
        self.keys = keys
        self.descending = descending
    }

    mutating func add(_ condition: String, _ values: Values = []) {
        conditions.append(condition)
        self.values += values
    }

    /// That an expression is one of some values.
    mutating func add(_ expression: String, among values: [Value]) {
        let list = NamedList("filter\(self.values.count)_", values)
        add("\(expression) IN \(list.sql)", list.values)
    }

    /// Reads one page and counts all.
    func page<Item: Sendable>(
        _ request: PageRequest, from database: any Database, each: (Row) throws -> Item
    ) throws -> Page<Item> {
        let limit = min(max(request.limit, 1), 200)
        var conditions = conditions
        var parameters = values
        if let text = request.cursor {
            let cursor = try Cursor(text, list: identity, count: keys.count)
            let after = cursor.values.enumerated().map { (name: "after\($0.offset)", value: $0.element) }
            conditions.append(
                "(\(keys.joined(separator: ", "))) \(descending ? "<" : ">") "
                    + "(\(after.map { ":" + $0.name }.joined(separator: ", ")))")
            parameters += after
        }
        let order = keys.map { $0 + (descending ? " DESC" : "") }.joined(separator: ", ")
        var rows = try database.rows(
            "SELECT \(columns), \(keys.joined(separator: ", ")) FROM \(source)\(Self.clause(conditions)) "
                + "ORDER BY \(order) LIMIT :limit",
            parameters + [("limit", .integer(Int64(limit) + 1))])
        let total = try database.number("SELECT count(*) FROM \(counted)\(Self.clause(self.conditions))", values)
        let more = rows.count > limit
        if more { rows.removeLast() }
        let next = more ? rows.last.map { Cursor(list: identity, values: $0.values.suffix(keys.count)).text } : nil
        return Page(items: try rows.map(each), next: next, total: Int(total))
    }

    private var identity: String { name + " " + keys.joined(separator: ",") + (descending ? " desc" : "") }

    private static func clause(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}

extension PageRequest {
    /// Refuses filters that a list does not have.
    func allow(filters allowed: [String]) throws(StoreRefusal) {
        for name in filters.keys.sorted() where !allowed.contains(name) {
            let names = allowed.isEmpty ? "none" : allowed.joined(separator: ", ")
            throw StoreRefusal(field: name, message: "this list cannot be filtered by it; filters are: \(names)")
        }
    }

    /// Refuses any sort: for lists with an order of their own.
    func refuseSort() throws(StoreRefusal) {
        if sort != nil { throw StoreRefusal(field: "sort", message: "this list has one order only") }
    }

    /// A filter's values as words of a closed list.
    func words<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(StoreRefusal) -> [Word]? {
        guard let values = filters[name] else { return nil }
        var words: [Word] = []
        for value in values {
            guard let word = Word(rawValue: value) else {
                let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
                throw StoreRefusal(field: name, message: "`\(value)` is none of \(allowed)")
            }
            words.append(word)
        }
        return words
    }

    func flag(_ name: String) throws(StoreRefusal) -> Bool? {
        guard let values = filters[name].map(Set.init) else { return nil }
        guard values.isSubset(of: ["true", "false"]) else {
            throw StoreRefusal(field: name, message: "it is `true` or `false`")
        }
        // As of other filters any value will do: of both, each thing has one.
        return values.count == 1 ? values.contains("true") : nil
    }

    func numbers(_ name: String) throws(StoreRefusal) -> [Value]? {
        guard let values = filters[name] else { return nil }
        var numbers: [Value] = []
        for value in values {
            guard let number = Int64(value) else { throw StoreRefusal(field: name, message: "`\(value)` is no id") }
            numbers.append(.integer(number))
        }
        return numbers
    }

    func texts(_ name: String) -> [Value]? { filters[name].map { $0.map { .text($0) } } }
}
