extension AuditRecord {
    /// The contract's line of the audit trail.
    package var json: JSON {
        .object([
            ("id", .string(String(id))), ("at", .time(at)),
            (
                "actor",
                .object([
                    ("name", .string(principal.name)), ("via", .string(principal.via.rawValue)),
                    ("role", .string(principal.role.rawValue)),
                ])
            ),
            ("address", .text(address?.description)), ("action", .string(action.rawValue)),
            (
                "object",
                .object([
                    ("type", .string(object.type)), ("id", .string(object.id)), ("name", .string(object.name)),
                ])
            ),
            ("changes", changes),
        ])
    }
}
