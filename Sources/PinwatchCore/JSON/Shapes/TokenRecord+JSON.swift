extension TokenRecord {
    /// How a token stands: only a valid one lets anybody in.
    package enum State: String, Sendable, CaseIterable {
        case valid, expired, revoked
    }

    package func state(at now: Instant) -> State {
        if revokedAt != nil { return .revoked }
        return isValid(at: now) ? .valid : .expired
    }

    /// The contract's `token`, as members, so that the answer that makes one can add its text this once.
    package func members(now: Instant) -> [(String, JSON)] {
        [
            ("id", .string(String(id))), ("name", .string(name)), ("role", .string(role.rawValue)),
            ("created_at", .time(createdAt)), ("expires_at", .time(expiresAt)), ("revoked_at", .time(revokedAt)),
            ("last_used_at", .time(lastUsedAt)), ("state", .string(state(at: now).rawValue)),
        ]
    }
}
