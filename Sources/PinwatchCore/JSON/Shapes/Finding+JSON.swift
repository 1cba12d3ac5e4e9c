extension Scope {
    package var json: JSON {
        .object([("affected", .integer(Int64(affected))), ("of", .integer(Int64(of)))])
    }
}

extension Finding {
    /// The contract's `finding`.
    package var json: JSON {
        .object([
            ("key", .string(key)), ("kind", .string(kind.rawValue)), ("stage", .text(stage?.rawValue)),
            ("scope", scope?.json ?? .null), ("severity", .string(severity.rawValue)),
            ("target_id", .text(targetID?.text)), ("pin_set_id", .text(pinSetID?.text)),
            ("subject", .string(subject)), ("summary", .string(summary)), ("next_step", .string(nextStep)),
            ("evidence", evidence), ("since", .time(since)), ("stale", .bool(stale)),
            ("affected_share", .share(affectedShare)),
        ])
    }
}
