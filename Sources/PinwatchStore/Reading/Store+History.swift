package import PinwatchCore

extension Store {
    package func spans(of target: TargetID, _ request: PageRequest) async throws -> Page<SpanRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["open", "key_family"])
            var listing = Listing(
                "spans", columns: Span.columns,
                source: "span JOIN span_sighting seen ON seen.span_id = span.id",
                keys: ["coalesce(span.closed_at, 9223372036854775807)", "span.id"], descending: true)
            listing.add("span.target_id = :target", [("target", .integer(target.rawValue))])
            if let open = try request.flag("open") { listing.add("span.closed_at IS \(open ? "" : "NOT ")NULL") }
            if let families = try request.words("key_family", KeyFamily.self) {
                listing.add("span.key_family", among: families.map { .text($0.rawValue) })
            }
            return try listing.page(request, from: database) { row in
                let span = try database.withServings(try Span(row: row))
                let chain = try database.fingerprints(of: span.chain)
                let leaf = chain.first.map { Value.digest($0) } ?? .null
                let spki = try database.row(
                    "SELECT spki FROM certificate WHERE sha256 = :leaf", [("leaf", leaf)])?.digestOrNil(0)
                return SpanRecord(targetID: target, span: span, chain: chain, spki: spki)
            }
        }
    }

    package func observations(of target: TargetID, _ request: PageRequest) async throws -> Page<ObservationRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: [])
            let found = try database.row(
                "SELECT \(Target.columns) FROM target WHERE id = :target", [("target", .integer(target.rawValue))])
            guard let found else { return Page(items: [], next: nil, total: 0) }
            let identity = try Target(row: found, at: 0).identity
            var listing = Listing(
                "observations", columns: TargetMemory.Run.columns,
                source: "observation JOIN observation_sighting seen ON seen.observation_id = observation.id",
                keys: ["observation.id"], descending: true)
            listing.add("observation.target_id = :target", [("target", .integer(target.rawValue))])
            return try listing.page(request, from: database) { row in
                try ObservationRecord(row: row, target: target, identity: identity, from: database)
            }
        }
    }

    package func events(_ request: PageRequest) async throws -> Page<EventRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["kind", "target_id", "quiet", "class"])
            var listing = Listing(
                "events", columns: "id, \(Event.columns)", source: "event", keys: ["id"], descending: true)
            if let kinds = try request.words("kind", EventKind.self) {
                listing.add("kind", among: kinds.map { .text($0.rawValue) })
            }
            if let targets = try request.numbers("target_id") { listing.add("target_id", among: targets) }
            if let classes = try request.words("class", KeyChangeClass.self) {
                listing.add("class", among: classes.map { .text($0.rawValue) })
            }
            if let quiet = try request.flag("quiet") { listing.add("quiet = :quiet", [("quiet", .flag(quiet))]) }
            return try listing.page(request, from: database) { row in try EventRecord(row: row) }
        }
    }
}

extension EventRecord {
    /// Reads `id` and ``Event/columns``.
    init(row: Row) throws(StoreError) {
        self.init(id: try row.integer(0), event: try Event(row: row, at: 1))
    }
}

extension ObservationRecord {
    init(row: Row, target: TargetID, identity: TargetIdentity, from database: any Database) throws(StoreError) {
        var weak: [Weakness] = []
        var fingerprints: [SHA256Digest] = []
        if let chain = try row.digestOrNil(5) {
            fingerprints = try database.fingerprints(of: ChainID(digest: chain))
            let words = try database.row("SELECT weak FROM chain WHERE id = :chain", [("chain", .digest(chain))])
            weak = try words?.text(0).split(separator: " ").compactMap { Weakness(rawValue: String($0)) } ?? []
        }
        let observation = try Observation(row: row)
        self.init(
            id: try row.integer(2), targetID: target, identity: identity, observation: observation,
            fingerprints: fingerprints, weak: observation.weaknesses(beside: weak), firstAt: try row.instant(12),
            times: try row.integer(14))
    }
}
