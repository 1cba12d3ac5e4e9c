package import PinwatchCore

extension Store {
    package func verdicts(of target: TargetID, _ request: PageRequest) async throws -> Page<VerdictRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: [])
            var listing = Listing(
                "verdicts",
                columns: """
                    verdict.pin_set_id, pin_set.app, pin_set.release, pin_set.variant, pin_set.stack, \
                    verdict.address, verdict.key_family, verdict.chain_id, verdict.body
                    """, source: "verdict JOIN pin_set ON pin_set.id = verdict.pin_set_id", keys: ["verdict.number"])
            listing.add("verdict.target_id = :target", [("target", .integer(target.rawValue))])
            return try listing.page(request, from: database) { row in
                VerdictRecord(
                    pinSetID: PinSetID(try row.integer(0)), pinSet: try PinSetIdentity(row: row, at: 1),
                    targetID: target, address: try row.address(5), family: try row.wordOrNil(6),
                    chain: try database.fingerprints(of: ChainID(digest: try row.digest(7))),
                    verdict: try ReleaseVerdict(stored: StoredObject(try row.text(8))))
            }
        }
    }

    package func accepted(of target: TargetID) async throws -> [AcceptedRecord] {
        try await read { database in
            try database.rows(
                """
                SELECT pin_set.id, pin_set.app, pin_set.release, pin_set.variant, pin_set.stack, accepted.count
                FROM verdict_accepted accepted JOIN pin_set ON pin_set.id = accepted.pin_set_id
                WHERE accepted.target_id = :target ORDER BY pin_set.id
                """, [("target", .integer(target.rawValue))]
            ).map { row in
                AcceptedRecord(
                    pinSetID: PinSetID(try row.integer(0)), pinSet: try PinSetIdentity(row: row, at: 1),
                    count: try row.whole(5))
            }
        }
    }
}

extension PinSetIdentity {
    /// Reads `app`, `release`, `variant` and `stack`.
    init(row: Row, at column: Int) throws(StoreError) {
        self.init(
            app: try row.text(column), release: try row.text(column + 1), variant: try row.word(column + 2),
            stack: try row.text(column + 3))
    }
}
