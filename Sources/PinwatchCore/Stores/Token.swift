/// What a bearer may do: each role may all that the one before it may.
package enum Role: String, Sendable, CaseIterable, Comparable {
    case viewer, editor, admin

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .editor: 1
        case .admin: 2
        }
    }
    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }
}

/// A bearer token without the token: only SHA-256 of its text is kept.
package struct TokenRecord: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var role: Role
    package var createdAt: Instant
    /// `nil` never expires.
    package var expiresAt: Instant?
    package var revokedAt: Instant?
    /// When it, or a session made with it, was last used; to a minute.
    package var lastUsedAt: Instant?
    package init(
        id: Int64, name: String, role: Role, createdAt: Instant, expiresAt: Instant?, revokedAt: Instant?,
        lastUsedAt: Instant? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }

    package func isValid(at now: Instant) -> Bool {
        revokedAt == nil && (expiresAt.map { now < $0 } ?? true)
    }
}
