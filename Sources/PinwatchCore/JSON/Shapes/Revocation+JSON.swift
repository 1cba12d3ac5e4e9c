extension Revocation {
    /// `{status, source, this_update, next_update, revoked_at, reason, detail, checked_at}`.
    package var json: JSON {
        .object([
            ("status", .string(status.rawValue)), ("source", .text(source?.rawValue)),
            ("this_update", .time(answer?.thisUpdate)), ("next_update", .time(answer?.nextUpdate)),
            ("revoked_at", .time(answer?.revokedAt)), ("reason", .text(answer?.reason?.word)),
            ("detail", .text(detail)), ("checked_at", .time(checkedAt)),
        ])
    }
}
