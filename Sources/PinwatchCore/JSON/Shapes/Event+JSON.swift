extension Event {
    /// What the API, the events stream and `event.…` messages show; `id` is the stream's cursor, unknown before it is stored.
    package func json(id: Int64?) -> JSON {
        .object([
            ("id", .text(id.map { String($0) })), ("kind", .string(kind.rawValue)), ("at", .time(at)),
            ("target_id", .text(targetID?.text)), ("subject", .string(subject)),
            ("class", .text(keyChange?.rawValue)), ("quiet", .bool(quiet)), ("summary", .string(summary)),
            ("evidence", evidence),
        ])
    }
}
