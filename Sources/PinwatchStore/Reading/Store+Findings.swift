package import PinwatchCore

extension Store {
    /// Whether the installation's own `scan.stale` stands: no scan of any target has finished for long.
    package func hasStaleScans() async throws -> Bool {
        try await read { database in
            try database.number(
                "SELECT count(*) FROM finding WHERE scope_key = :scope AND kind = :kind",
                [("scope", .text(EvaluationScope.installation.key)), ("kind", .text(FindingKind.scanStale.rawValue))])
                > 0
        }
    }

    package func findings(_ request: PageRequest) async throws -> Page<Finding> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["kind", "severity", "target_id", "pin_set_id", "stale"])
            var listing = Listing(
                "findings", columns: "body", source: "finding", keys: ["severity", "since_at", "id"])
            if let kinds = try request.words("kind", FindingKind.self) {
                listing.add("kind", among: kinds.map { .text($0.rawValue) })
            }
            if let severities = try request.words("severity", Severity.self) {
                listing.add("severity", among: severities.map { .integer($0.storedRank) })
            }
            if let targets = try request.numbers("target_id") { listing.add("target_id", among: targets) }
            if let pinSets = try request.numbers("pin_set_id") { listing.add("pin_set_id", among: pinSets) }
            if let stale = try request.flag("stale") { listing.add("stale = :stale", [("stale", .flag(stale))]) }
            return try listing.page(request, from: database) { row in
                try Finding(stored: StoredObject(try row.text(0)))
            }
        }
    }

    package func alerts(_ request: PageRequest) async throws -> Page<AlertRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["state", "severity", "kind", "target_id"])
            var listing = Listing(
                "alerts", columns: AlertRecord.columns, source: AlertRecord.source, keys: ["alert.id"],
                descending: true)
            if let states = try request.words("state", AlertState.self) {
                listing.add("alert.state", among: states.map { .text($0.rawValue) })
            }
            if let severities = try request.words("severity", Severity.self) {
                listing.add("alert.severity", among: severities.map { .text($0.rawValue) })
            }
            if let kinds = try request.words("kind", FindingKind.self) {
                listing.add("alert.kind", among: kinds.map { .text($0.rawValue) })
            }
            if let targets = try request.numbers("target_id") { listing.add("alert.target_id", among: targets) }
            return try listing.page(request, from: database) { row in try AlertRecord(row: row) }
        }
    }

    package func alert(_ id: AlertID) async throws -> AlertRecord? {
        try await read { database in
            try database.alertRecord(id)
        }
    }
}

extension Database {
    func alertRecord(_ id: AlertID) throws(StoreError) -> AlertRecord? {
        let found = try row(
            "SELECT \(AlertRecord.columns) FROM \(AlertRecord.source) WHERE alert.id = :id",
            [("id", .integer(id.rawValue))])
        guard let row = found else { return nil }
        return try AlertRecord(row: row)
    }
}

extension AlertRecord {
    static let columns = "\(Alert.columns), alert.subjects, coalesce(finding.body, alert.finding)"
    static let source = "alert LEFT JOIN finding ON finding.alert_id = alert.id"

    init(row: Row) throws(StoreError) {
        let first = Alert.columnCount
        guard let subjects = JSON(stored: try row.text(first))?.texts else {
            throw row.wrong(first, "a JSON list of texts")
        }
        self.init(
            alert: try Alert(row: row, at: 0), subjects: subjects,
            finding: try Finding(stored: StoredObject(try row.text(first + 1))))
    }
}
