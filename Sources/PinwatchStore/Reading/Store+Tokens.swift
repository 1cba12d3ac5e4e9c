package import PinwatchCore

extension Store {
    package func token(sha256: SHA256Digest) async throws -> TokenRecord? {
        try await read { database in
            try database.token("token.sha256 = :sha256", [("sha256", .digest(sha256))])
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
}

extension Database {
    func token(_ condition: String, _ values: Values) throws(StoreError) -> TokenRecord? {
        let found = try row("SELECT \(TokenRecord.columns) FROM token WHERE \(condition)", values)
        guard let row = found else { return nil }
        return try TokenRecord(row: row)
    }
}

extension TokenRecord {
    static let columns = """
        token.id, token.name, token.role, token.created_at, token.expires_at, token.revoked_at, token.last_used_at
        """
    static let columnCount = 7

    init(row: Row) throws(StoreError) {
        self.init(
            id: try row.integer(0), name: try row.text(1), role: try row.word(2), createdAt: try row.instant(3),
            expiresAt: try row.instantOrNil(4), revokedAt: try row.instantOrNil(5), lastUsedAt: try row.instantOrNil(6))
    }
}
