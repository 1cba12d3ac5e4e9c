internal import PinwatchCore

extension ListQuery {
    /// The fields of the list's query, as the document shows them. A filter may be given several times: any of its
    /// values will do.
    var parameters: [Operation.Parameter] {
        let paging = [
            Operation.Parameter(
                name: "limit", about: "The most items of one page; 50 if nothing is said.", schema: .integer(1...200)),
            Operation.Parameter(
                name: "cursor", about: "The `next` of an earlier page of the same list.",
                schema: .text(1...Self.maximumCursor)),
        ]
        let sort = Operation.Parameter(
            name: "sort", about: "The field to sort by, descending with `-` before it.",
            schema: .word(sorts + sorts.map { "-" + $0 }))
        let filters = filters.sorted { $0.key < $1.key }.map { name, filter in
            Operation.Parameter(
                name: name, about: "Only items with one of these values.",
                schema: .list(of: filter.schema, 1...Self.maximumValues))
        }
        return paging + (sorts.isEmpty ? [] : [sort]) + filters
    }
}

extension ListQuery.Filter {
    fileprivate var schema: Schema {
        switch self {
        case .word(let words): .word(words)
        case .flag: .flag
        case .id: .id
        case .text: .line(1...ListQuery.maximumLength)
        case .label:
            .text(
                pattern: "^[^:\\u0000-\\u001f\\u007f-\\u009f]{1,\(ListQuery.maximumLabelName)}"
                    + ":[^\\u0000-\\u001f\\u007f-\\u009f]{0,\(ListQuery.maximumLabelValue)}$")
        }
    }
}
