extension Alert {
    /// The contract's `alert`; `subjects` are the labels of the targets concerned.
    package func json(subjects: [String]) -> JSON {
        .object([
            ("id", .string(id.text)), ("finding_key", .string(findingKey)), ("kind", .string(kind.rawValue)),
            ("state", .string(state.rawValue)), ("severity", .string(severity.rawValue)),
            ("opened_at", .time(openedAt)),
            (
                "acknowledged",
                acknowledged.map {
                    .object([("by", .string($0.by)), ("at", .time($0.at)), ("note", .text($0.note))])
                } ?? .null
            ),
            ("silenced_by", .text(silencedBy)), ("resolved_at", .time(resolvedAt)), ("subjects", .strings(subjects)),
            ("subject_count", .integer(Int64(subjects.count))), ("reminders", .integer(Int64(reminders))),
        ])
    }
}
