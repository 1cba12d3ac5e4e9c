internal import PinwatchCore

/// What a list may be asked for: its sorts, and its filters with the values that each takes.
struct ListQuery: Sendable {
    enum Filter: Sendable {
        /// One of these words.
        case word([String])
        case flag
        /// An opaque id: a decimal number here.
        case id
        /// 1 to 256 code points, none of them a control.
        case text
        /// `name:value`: up to 64 and 200 code points, as long as labels may be; a value may be empty.
        case label

        static let managedBy = Filter.word([ManagedBy.config.rawValue, ManagedBy.api.rawValue])
    }

    var sorts: [String] = []
    var filters: [String: Filter] = [:]

    static let maximumValues = 50
    static let maximumLength = 256
    static let maximumLabelName = 64
    static let maximumLabelValue = 200
    static let maximumCursor = 1_024

    /// Reads the query of a list, or says everything that is wrong with it at once.
    func request(_ call: Call) throws(Problem) -> PageRequest {
        var request = PageRequest()
        var errors: [Problem.FieldError] = []
        var seen: Set<String> = []
        for field in call.target.query {
            let isFilter = filters[field.name] != nil
            let why = isFilter || seen.insert(field.name).inserted ? read(field, into: &request) : "is given twice"
            if let why { errors.append(.init(field: String(field.name.prefix(64)), message: why)) }
        }
        guard errors.isEmpty else {
            throw Problem(400, "The query of this list cannot be used; see errors.", errors: errors)
        }
        return request
    }

    /// `nil` if the field was taken over, else what is wrong with it.
    private func read(_ field: RequestTarget.Field, into request: inout PageRequest) -> String? {
        switch field.name {
        case "limit":
            guard let limit = Identifier.number(field.value), limit <= 200 else {
                return "must be a whole number from 1 to 200"
            }
            request.limit = Int(limit)
        case "cursor":
            guard !field.value.isEmpty, field.value.utf8.count <= Self.maximumCursor else {
                return "must be a `next` of an earlier page"
            }
            request.cursor = field.value
        case "sort":
            request.descending = field.value.hasPrefix("-")
            let name = request.descending ? String(field.value.dropFirst()) : field.value
            guard sorts.contains(name) else {
                return sorts.isEmpty
                    ? "is not offered: this list has one order"
                    : "must be one of \(sorts.joined(separator: ", ")), with - before it to descend"
            }
            request.sort = name
        default:
            guard let filter = filters[field.name] else {
                let known = ["limit", "cursor"] + (sorts.isEmpty ? [] : ["sort"]) + filters.keys.sorted()
                return "is not a field of this list, which takes \(known.joined(separator: ", "))"
            }
            guard request.filters[field.name, default: []].count < Self.maximumValues else {
                return "is given more than \(Self.maximumValues) times"
            }
            if let why = Self.problem(with: field.value, filter) { return why }
            request.filters[field.name, default: []].append(field.value)
        }
        return nil
    }

    private static func problem(with value: String, _ filter: Filter) -> String? {
        switch filter {
        case .word(let words):
            return words.contains(value) ? nil : "must be one of \(words.joined(separator: ", "))"
        case .flag: return ["true", "false"].contains(value) ? nil : "must be true or false"
        case .id: return Identifier.number(value) == nil ? "must be an id as this API gives it" : nil
        case .text:
            return isLine(value.unicodeScalars, 1...maximumLength)
                ? nil : "must have 1 to \(maximumLength) characters, none of them a control"
        case .label:
            // Not by characters: a colon and an accent that begins the value would be one.
            let parts = value.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let isLabel =
                parts.count == 2 && isLine(parts[0], 1...maximumLabelName) && isLine(parts[1], 0...maximumLabelValue)
            return isLabel ? nil : "must be name:value"
        }
    }

    private static func isLine(_ scalars: some Collection<Unicode.Scalar>, _ count: ClosedRange<Int>) -> Bool {
        count.contains(scalars.count) && scalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// The API's opaque ids, which are decimal numbers here, and other numbers that have one spelling.
enum Identifier {
    /// `nil` for anything but a positive number written as this API writes it.
    static func number(_ text: String) -> Int64? {
        guard let number = Int64(text), number > 0, String(number) == text else { return nil }
        return number
    }
}

extension Page {
    /// A page of a list that is short enough to be read whole. Its cursors count items.
    init(of all: [Item], _ request: PageRequest) throws(Problem) {
        let start = try request.cursor.map { text throws(Problem) in
            guard let number = Identifier.number(text), number < all.count else {
                throw Problem(StoreRefusal(field: "cursor", message: "is not a `next` of an earlier page of this list"))
            }
            return Int(number)
        }
        let items = Array(all.dropFirst(start ?? 0).prefix(request.limit))
        let end = (start ?? 0) + items.count
        self.init(items: items, next: end < all.count ? String(end) : nil, total: all.count)
    }

    /// The contract's list, with `more` members after the usual ones.
    func response(more: [(String, JSON)] = [], _ shape: (Item) -> JSON) -> Response {
        Response(
            json: .object(
                [
                    ("items", .array(items.map(shape))), ("next", .text(next)),
                    ("total", .integer(Int64(total))),
                ] + more))
    }
}
