package import PinwatchCore

extension Store {
    /// Leaves that are to be looked at, those that wait for the longest first.
    package func dueRevocations(now: Instant, limit: Int = 32) async throws -> [RevocationCase] {
        try await read { database in
            try database.rows(
                """
                SELECT sha256, \(Revocation.columns), next_check_at FROM revocation
                WHERE next_check_at <= :now ORDER BY next_check_at, sha256 LIMIT :limit
                """, [("now", .at(now)), ("limit", .integer(Int64(limit)))]
            ).map { try database.revocationCase($0) }
        }
    }

    /// Keeps what looks came to, in one transaction. Hosts whose leaf was revoked, or is no longer, are judged again.
    package func record(_ looks: [RevocationLook], now: Instant) async throws(StoreError) {
        try await writer.record(looks, now: now)
    }
}

/// What one look takes into account.
private enum RevocationLimits {
    /// Ways of being served, and staples.
    static let ways = 4
    /// Rows that are gone through for these.
    static let rows = 400
}

extension Database {
    fileprivate func revocationCase(_ row: Row) throws(StoreError) -> RevocationCase {
        let leaf = try row.digest(0)
        var servings: [RevocationCase.Serving] = []
        var staples: [[UInt8]] = []
        for way in try rows(
            """
            SELECT DISTINCT chain_id, trust_store FROM (
              SELECT span.chain_id, target.trust_store FROM chain_certificate link
              JOIN span ON span.chain_id = link.chain_id AND span.closed_at IS NULL
              JOIN target ON target.id = span.target_id AND target.removed_at IS NULL
              WHERE link.sha256 = :leaf AND link.position = 0 LIMIT \(RevocationLimits.rows)
            ) AS served ORDER BY chain_id, trust_store LIMIT \(RevocationLimits.ways)
            """, [("leaf", .digest(leaf))])
        {
            let id = ChainID(digest: try way.digest(0))
            guard let chain = try chain(id) else { continue }
            servings.append(RevocationCase.Serving(chain: chain, trustStore: try way.text(1)))
            for staple in try self.staples(of: id) where !staples.contains(staple) { staples.append(staple) }
        }
        return RevocationCase(
            leaf: leaf, servings: servings, staples: Array(staples.prefix(RevocationLimits.ways)),
            known: try Revocation(row: row, at: 1), dueAt: try row.instant(1 + Revocation.columnCount))
    }

    private func staples(of chain: ChainID) throws(StoreError) -> [[UInt8]] {
        try rows(
            """
            SELECT DISTINCT stapled_ocsp FROM (
              SELECT stapled_ocsp FROM observation
              WHERE chain_id = :chain AND current = 1 AND stapled_ocsp IS NOT NULL ORDER BY id DESC
              LIMIT \(RevocationLimits.rows)
            ) AS newest LIMIT \(RevocationLimits.ways)
            """, [("chain", .digest(chain.digest))]
        ).map { row throws(StoreError) in try row.blob(0) }
    }
}

extension Writer {
    func record(_ looks: [RevocationLook], now: Instant) throws(StoreError) {
        try transaction { database throws(StoreError) in
            for look in looks {
                let known = try database.revocation(of: look.leaf)
                try database.run(
                    "UPDATE revocation SET next_check_at = :next WHERE sha256 = :leaf AND next_check_at = :due",
                    [
                        ("next", .optional(look.nextCheckAt)), ("leaf", .digest(look.leaf)), ("due", .at(look.dueAt)),
                    ])
                guard let found = look.found else { continue }
                try database.run(
                    """
                    UPDATE revocation SET status = :status, source = :source, this_update_at = :this_update,
                      next_update_at = :next_update, revoked_at = :revoked, reason = :reason, detail = :detail,
                      checked_at = :checked
                    WHERE sha256 = :leaf
                    """, [("leaf", .digest(look.leaf))] + found.values)
                if known.saidToBeRevoked != Revocation?.some(found).saidToBeRevoked {
                    try database.scheduleHosts(serving: look.leaf, at: now)
                }
            }
        }
    }
}

extension Revocation? {
    /// What a finding would say; equal for all that is not revoked.
    fileprivate var saidToBeRevoked: [String?] {
        guard let known = self, known.status == .revoked else { return [] }
        return [known.source?.rawValue, known.answer?.revokedAt?.rfc3339, known.answer?.reason?.word]
    }
}

extension Database {
    /// Judged batch by batch, since one certificate may be on a great many hosts.
    fileprivate func scheduleHosts(serving leaf: SHA256Digest, at now: Instant) throws(StoreError) {
        try run(
            """
            INSERT INTO evaluation (scope_key, next_change_at)
            SELECT DISTINCT 'host/' || target.host, :now FROM chain_certificate link
            JOIN span ON span.chain_id = link.chain_id AND span.closed_at IS NULL
            JOIN target ON target.id = span.target_id AND target.removed_at IS NULL
            WHERE link.sha256 = :leaf AND link.position = 0
            ON CONFLICT (scope_key) DO UPDATE SET next_change_at = excluded.next_change_at
            """, [("leaf", .digest(leaf)), ("now", .at(now))])
    }
}
