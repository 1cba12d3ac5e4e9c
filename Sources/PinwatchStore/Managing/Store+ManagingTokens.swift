package import PinwatchCore

extension Store {
    package func tokens(_ request: PageRequest) async throws -> Page<TokenRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: [])
            let listing = Listing("tokens", columns: TokenRecord.columns, source: "token", keys: ["token.id"])
            return try listing.page(request, from: database) { row in try TokenRecord(row: row) }
        }
    }

    package func token(_ id: Int64) async throws -> TokenRecord? {
        try await read { database in try database.token("token.id = :id", [("id", .integer(id))]) }
    }

    package func addToken(
        name: String, role: Role, sha256: SHA256Digest, expiresAt: Instant?, _ change: Change
    ) async throws -> TokenRecord {
        try await manage(change) { recording in
            let id = try recording.database.number(
                """
                INSERT INTO token (name, role, sha256, created_at, expires_at)
                VALUES (:name, :role, :sha256, :created, :expires) RETURNING id
                """,
                [
                    ("name", .text(name)), ("role", .text(role.rawValue)), ("sha256", .digest(sha256)),
                    ("created", .at(change.at)), ("expires", .optional(expiresAt)),
                ])
            let token = TokenRecord(
                id: id, name: name, role: role, createdAt: change.at, expiresAt: expiresAt, revokedAt: nil)
            try recording.note(
                change, .tokenCreate, token.audited,
                FieldChanges(from: nil, to: [("role", .string(role.rawValue)), ("expires_at", .time(expiresAt))]))
            return token
        }
    }

    /// The command line may revoke the last one: it can make another, and a service that ever had a token stays closed.
    package func revokeToken(_ id: Int64, _ change: Change) async throws {
        try await manage(change) { recording in
            guard let token = try recording.database.token("token.id = :id", [("id", .integer(id))]) else {
                throw ChangeRefusal.unknown
            }
            guard token.revokedAt == nil else { throw ChangeRefusal.conflict("the token is revoked already") }
            if change.principal.via != .command, token.role == .admin, token.isValid(at: change.at) {
                let others = try recording.database.number(
                    """
                    SELECT count(*) FROM token WHERE role = :admin AND id <> :id AND revoked_at IS NULL
                      AND (expires_at IS NULL OR expires_at > :now)
                    """,
                    [("admin", .text(Role.admin.rawValue)), ("id", .integer(id)), ("now", .at(change.at))])
                guard others > 0 else {
                    throw ChangeRefusal.conflict("it is the last valid admin token; make another one first")
                }
            }
            try recording.database.run(
                "UPDATE token SET revoked_at = :now WHERE id = :id", [("id", .integer(id)), ("now", .at(change.at))])
            try recording.database.run("DELETE FROM session WHERE token_id = :id", [("id", .integer(id))])
            recording.commit.endsAccess = true
            try recording.note(change, .tokenRevoke, token.audited)
        }
    }

    /// Keeps when a token was last used. Writes at most once a minute for each token, so that it may be called with every
    /// request.
    package func tokenUsed(_ id: Int64, at now: Instant) async throws {
        guard tokenUses.isDue(id, at: now) else { return }
        try await writer.tokenUsed(id, at: now)
    }

    package func addSession(
        sha256: SHA256Digest, token: Int64, expiresAt: Instant, _ change: Change
    ) async throws -> SessionRecord {
        try await manage(change) { recording in
            guard let owner = try recording.database.token("token.id = :id", [("id", .integer(token))]),
                owner.isValid(at: change.at)
            else { throw ChangeRefusal.unknown }
            try recording.database.run(
                """
                INSERT INTO session (sha256, token_id, created_at, expires_at) VALUES (:sha256, :token, :now, :expires)
                """,
                [
                    ("sha256", .digest(sha256)), ("token", .integer(token)), ("now", .at(change.at)),
                    ("expires", .at(expiresAt)),
                ])
            try recording.note(change, .sessionCreate, owner.sessionAudited)
            return SessionRecord(token: owner, createdAt: change.at, expiresAt: expiresAt)
        }
    }

    package func session(sha256: SHA256Digest) async throws -> SessionRecord? {
        try await read { database in try database.session(sha256) }
    }

    package func endSession(sha256: SHA256Digest, _ change: Change) async throws {
        try await manage(change) { recording in
            guard let session = try recording.database.session(sha256) else { throw ChangeRefusal.unknown }
            try recording.database.run("DELETE FROM session WHERE sha256 = :sha256", [("sha256", .digest(sha256))])
            recording.commit.endsAccess = true
            try recording.note(change, .sessionDelete, session.token.sessionAudited)
        }
    }
}

extension Writer {
    fileprivate func tokenUsed(_ id: Int64, at now: Instant) throws(StoreError) {
        _ = try transaction { database throws(StoreError) in
            try database.run(
                "UPDATE token SET last_used_at = :now WHERE id = :id", [("id", .integer(id)), ("now", .at(now))])
        }
    }
}

extension TokenRecord {
    fileprivate var audited: AuditObject { AuditObject(type: "token", id: String(id), name: name) }
    /// A session is known by its token; its own value is secret.
    fileprivate var sessionAudited: AuditObject { AuditObject(type: "session", id: String(id), name: name) }
}

extension Database {
    fileprivate func session(_ sha256: SHA256Digest) throws(StoreError) -> SessionRecord? {
        let found = try row(
            """
            SELECT \(TokenRecord.columns), session.created_at, session.expires_at
            FROM session JOIN token ON token.id = session.token_id WHERE session.sha256 = :sha256
            """, [("sha256", .digest(sha256))])
        guard let row = found else { return nil }
        return SessionRecord(
            token: try TokenRecord(row: row), createdAt: try row.instant(TokenRecord.columnCount),
            expiresAt: try row.instant(TokenRecord.columnCount + 1))
    }
}
