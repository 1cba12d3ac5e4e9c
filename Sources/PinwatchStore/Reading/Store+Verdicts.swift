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

    /// Numbers are listed, and a page's rows fetched by number: bodies are long, and most rows are on other pages.
    package func verdicts(_ request: PageRequest) async throws -> Page<TargetVerdictRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["target_id", "pin_set_id", "app", "verdict"])
            var listing = Listing(
                "all_verdicts", columns: "verdict.number", source: "verdict", keys: ["verdict.number"])
            if let targets = try request.numbers("target_id") { listing.add("verdict.target_id", among: targets) }
            if let pinSets = try request.numbers("pin_set_id") { listing.add("verdict.pin_set_id", among: pinSets) }
            if let kinds = try request.words("verdict", VerdictKind.self) {
                listing.add("verdict.kind", among: kinds.map { .text($0.rawValue) })
            }
            if let apps = request.texts("app") {
                let list = NamedList("app", apps)
                let known = try database.rows("SELECT id FROM pin_set WHERE app IN \(list.sql)", list.values)
                if known.isEmpty {
                    listing.add("1 = 0")
                } else {
                    listing.add("verdict.pin_set_id", among: known.map { $0[0] })
                }
            }
            return try listing.page(request, from: database) { row in try database.verdict(number: row[0]) }
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

extension Database {
    fileprivate func verdict(number: Value) throws(StoreError) -> TargetVerdictRecord {
        let found = try row(
            """
            SELECT verdict.pin_set_id, pin_set.app, pin_set.release, pin_set.variant, pin_set.stack,
              verdict.address, verdict.key_family, verdict.chain_id, verdict.body, \(Target.columns)
            FROM verdict JOIN pin_set ON pin_set.id = verdict.pin_set_id JOIN target ON target.id = verdict.target_id
            WHERE verdict.number = :number
            """, [("number", number)])
        guard let row = found else { throw .unreadableRow(column: 0, why: "the verdict's target is missing") }
        let target = try Target(row: row, at: 9)
        return TargetVerdictRecord(
            target: target.identity.label,
            verdict: VerdictRecord(
                pinSetID: PinSetID(try row.integer(0)), pinSet: try PinSetIdentity(row: row, at: 1),
                targetID: target.id, address: try row.address(5), family: try row.wordOrNil(6),
                chain: try fingerprints(of: ChainID(digest: try row.digest(7))),
                verdict: try ReleaseVerdict(stored: StoredObject(try row.text(8)))))
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
