package import PinwatchCore

extension Store {
    package func runway(_ request: PageRequest, now: Instant) async throws -> Page<Upcoming> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["kind", "app", "target_id", "pin_set_id"])
            var listing = Listing("runway", columns: Upcoming.columns, source: "upcoming", keys: ["ends_at", "id"])
            listing.add("ends_at > :now", [("now", .at(now))])
            if let kinds = try request.words("kind", Upcoming.Kind.self) {
                listing.add("kind", among: kinds.map { .text($0.rawValue) })
            }
            if let targets = try request.numbers("target_id") { listing.add("target_id", among: targets) }
            if let pinSets = try request.numbers("pin_set_id") { listing.add("pin_set_id", among: pinSets) }
            if let apps = request.texts("app") {
                let pinSets = NamedList("pin_set_app_", apps)
                let targets = NamedList("target_app_", apps)
                listing.add(
                    """
                    (pin_set_id IN (SELECT id FROM pin_set WHERE app IN \(pinSets.sql)) OR pin_set_id IS NULL
                     AND target_id IN (
                       SELECT target_id FROM target_label WHERE name = 'app' AND value IN \(targets.sql)))
                    """, pinSets.values + targets.values)
            }
            return try listing.page(request, from: database) { row in try Upcoming(row: row) }
        }
    }
}

extension Upcoming {
    /// In the order that ``init(row:)`` reads.
    static let columns = "kind, ends_at, target_id, pin_set_id, subject, summary, share"

    init(row: Row) throws(StoreError) {
        self.init(
            kind: try row.word(0), endsAt: try row.instant(1), targetID: try row.integerOrNil(2).map { TargetID($0) },
            pinSetID: try row.integerOrNil(3).map { PinSetID($0) }, subject: try row.text(4), summary: try row.text(5),
            share: try row.realOrNil(6))
    }
}
