package import PinwatchCore

extension Store {
    package func token(sha256: SHA256Digest) async throws -> TokenRecord? {
        try await read { database in
            let found = try database.row(
                "SELECT \(TokenRecord.columns) FROM token WHERE sha256 = :sha256", [("sha256", .digest(sha256))])
            guard let row = found else { return nil }
            return try TokenRecord(row: row)
        }
    }

    package func hasTokens() async throws -> Bool {
        try await read { database in
            try database.row("SELECT id FROM token LIMIT 1") != nil
        }
    }

    /// Every token ever made, in the order made.
    package func listTokens() async throws -> [TokenRecord] {
        try await read { database in
            try database.rows("SELECT \(TokenRecord.columns) FROM token ORDER BY id").map { try TokenRecord(row: $0) }
        }
    }

    /// Stores a new token by the hash of its text.
    package func createToken(
        name: String, role: Role, sha256: SHA256Digest, expiresAt: Instant?, now: Instant
    ) async throws(StoreError) -> TokenRecord {
        try await writer.createToken(name: name, role: role, sha256: sha256, expiresAt: expiresAt, now: now)
    }

    /// - Returns: Whether there was such a token that was not revoked yet.
    package func revokeToken(_ id: Int64, now: Instant) async throws(StoreError) -> Bool {
        try await writer.revokeToken(id, now: now)
    }
}

extension Writer {
    func createToken(
        name: String, role: Role, sha256: SHA256Digest, expiresAt: Instant?, now: Instant
    ) throws(StoreError) -> TokenRecord {
        try transaction { database throws(StoreError) in
            let id = try database.number(
                """
                INSERT INTO token (name, role, sha256, created_at, expires_at)
                VALUES (:name, :role, :sha256, :created, :expires) RETURNING id
                """,
                [
                    ("name", .text(name)), ("role", .text(role.rawValue)), ("sha256", .digest(sha256)),
                    ("created", .at(now)), ("expires", .optional(expiresAt)),
                ])
            return TokenRecord(id: id, name: name, role: role, createdAt: now, expiresAt: expiresAt, revokedAt: nil)
        }
    }

    func revokeToken(_ id: Int64, now: Instant) throws(StoreError) -> Bool {
        try transaction { database throws(StoreError) in
            try database.run(
                "UPDATE token SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL",
                [("id", .integer(id)), ("now", .at(now))]) > 0
        }
    }
}

extension TokenRecord {
    fileprivate static let columns = "id, name, role, created_at, expires_at, revoked_at"

    fileprivate init(row: Row) throws(StoreError) {
        self.init(
            id: try row.integer(0), name: try row.text(1), role: try row.word(2), createdAt: try row.instant(3),
            expiresAt: try row.instantOrNil(4), revokedAt: try row.instantOrNil(5))
    }
}
