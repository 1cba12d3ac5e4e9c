internal import PinwatchCore

extension Revocation {
    /// Of the table `revocation`, in the order that ``init(row:at:)`` reads.
    static let columns =
        "revocation.status, revocation.source, revocation.this_update_at, revocation.next_update_at, "
        + "revocation.revoked_at, revocation.reason, revocation.detail, revocation.checked_at"
    static let columnCount = 8

    /// `nil` before the first look.
    init?(row: Row, at first: Int) throws(StoreError) {
        guard let status = try row.wordOrNil(first, RevocationStatus.self) else { return nil }
        let checkedAt = try row.instant(first + 7)
        let detail = try row.textOrNil(first + 6)
        guard let source = try row.wordOrNil(first + 1, RevocationSource.self) else {
            self.init(without: status, detail: detail, at: checkedAt)
            return
        }
        let answer = RevocationAnswer(
            status: status, thisUpdate: try row.instant(first + 2), nextUpdate: try row.instantOrNil(first + 3),
            revokedAt: try row.instantOrNil(first + 4),
            reason: try row.textOrNil(first + 5).flatMap { RevocationReason(word: $0) })
        self.init(answer, from: source, detail: detail, at: checkedAt)
    }

    var values: Values {
        [
            ("status", .text(status.rawValue)), ("source", .optional(source?.rawValue)),
            ("this_update", .optional(answer?.thisUpdate)), ("next_update", .optional(answer?.nextUpdate)),
            ("revoked", .optional(answer?.revokedAt)), ("reason", .optional(answer?.reason?.word)),
            ("detail", .optional(detail)), ("checked", .at(checkedAt)),
        ]
    }
}

extension Database {
    /// What is known of a certificate; `nil` where nobody looked.
    func revocation(of certificate: SHA256Digest) throws(StoreError) -> Revocation? {
        let found = try row(
            "SELECT \(Revocation.columns) FROM revocation WHERE sha256 = :sha256", [("sha256", .digest(certificate))])
        guard let found else { return nil }
        return try Revocation(row: found, at: 0)
    }

    /// The leaves among some chains that are known to be revoked.
    func revoked(among chains: some Sequence<ChainID>) throws(StoreError) -> [SHA256Digest: Revocation] {
        var known: [SHA256Digest: Revocation] = [:]
        for chain in Set(chains) {
            let found = try row(
                """
                SELECT link.sha256, \(Revocation.columns) FROM chain_certificate link
                JOIN revocation ON revocation.sha256 = link.sha256
                WHERE link.chain_id = :chain AND link.position = 0 AND revocation.status = 'revoked'
                """, [("chain", .digest(chain.digest))])
            guard let row = found else { continue }
            known[try row.digest(0)] = try Revocation(row: row, at: 1)
        }
        return known
    }

    /// Has the leaf of a chain looked at now, as when it comes to be served or another response is stapled to it.
    func lookAtRevocation(of chain: ChainID, at now: Instant) throws(StoreError) {
        try run(
            """
            INSERT INTO revocation (sha256, next_check_at)
            SELECT sha256, :now FROM chain_certificate WHERE chain_id = :chain AND position = 0
            ON CONFLICT (sha256) DO UPDATE SET next_check_at = excluded.next_check_at
            """, [("chain", .digest(chain.digest)), ("now", .at(now))])
    }
}
