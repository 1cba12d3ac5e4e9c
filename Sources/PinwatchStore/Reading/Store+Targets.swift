package import PinwatchCore

extension Store: ReadingStore {
    package var version: UInt64? { writer.commits.value }

    /// Sorting by `state` ascends from `ok` over `unknown` and `warning` to `critical`; targets without a known leaf
    /// end or scan sort as if theirs were in the far future, or the far past.
    package func targets(_ request: PageRequest) async throws -> Page<TargetRecord> {
        try await read { database in try Self.targets(request, from: database) }
    }

    package func target(_ id: TargetID) async throws -> TargetRecord? {
        try await read { database in
            try database.targetRecord(id)
        }
    }

    private static func targets(_ request: PageRequest, from database: any Database) throws -> Page<TargetRecord> {
        let key =
            switch request.sort {
            case nil, "host": "standing.host"
            case "last_scan_at": "coalesce(status.last_scan_at, -9223372036854775807)"
            case "state": "standing.condition"
            case "leaf.not_after": "standing.leaf_ends_at"
            case let other?:
                throw StoreRefusal(
                    field: "sort", message: "`\(other)` is none of host, last_scan_at, state, leaf.not_after")
            }
        // Only numbers are sorted; a page's full records are fetched by number, at most 200 of them.
        // Scan times stand in no index, so that sort reads them all: without a filter from their narrow table alone.
        let byScan = request.sort == "last_scan_at"
        let alone = byScan && request.filters.isEmpty
        let standing = "target_standing standing"
        let id = alone ? "status.target_id" : "standing.target_id"
        var keys = [key, id]
        if request.sort == "state" { keys.insert("standing.host", at: 1) }
        var listing = Listing(
            "targets", columns: id,
            source: alone
                ? "target_status status"
                : standing + (byScan ? " JOIN target_status status ON status.target_id = standing.target_id" : ""),
            counted: standing, keys: keys, descending: request.descending)
        try filter(&listing, by: request)
        return try listing.page(request, from: database) { row in
            let found = try database.row(
                "SELECT \(TargetRecord.columns) FROM \(TargetRecord.source) WHERE standing.target_id = :id",
                [("id", row[0])])
            guard let found else { throw StoreError.unreadableRow(column: 0, why: "the target's row is missing") }
            return try TargetRecord(row: found)
        }
    }

    private static func filter(_ listing: inout Listing, by request: PageRequest) throws(StoreRefusal) {
        try request.allow(filters: ["state", "owner", "host", "label", "stale", "paused", "managed_by"])
        if let states = try request.words("state", TargetCondition.self) {
            listing.add("standing.condition", among: states.map { .integer($0.storedRank) })
        }
        if let owners = try request.words("owner", Owner.self) {
            listing.add("standing.owner", among: owners.map { .text($0.rawValue) })
        }
        if let stale = try request.flag("stale") {
            listing.add("standing.stale = :stale", [("stale", .flag(stale))])
        }
        if let paused = try request.flag("paused") {
            listing.add(
                "standing.target_id IN (SELECT id FROM target WHERE paused = :paused)", [("paused", .flag(paused))])
        }
        if let managers = try request.words("managed_by", ManagedBy.self) {
            let list = NamedList("manager", managers.map { .text($0.rawValue) })
            listing.add(
                "standing.target_id IN (SELECT id FROM target WHERE managed_by IN \(list.sql))", list.values)
        }
        for (index, host) in (request.filters["host"] ?? []).enumerated() {
            // By code points, as the database compares: what follows a sign must not hide it.
            let escaped = host.lowercased().unicodeScalars
                .map { "%_\\".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
            listing.add("standing.host LIKE :host\(index) ESCAPE '\\'", [("host\(index)", .text("%\(escaped)%"))])
        }
        for (index, label) in (request.filters["label"] ?? []).enumerated() {
            let parts = label.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0) }
            guard parts.count == 2 else {
                throw StoreRefusal(field: "label", message: "`\(label)` is not `name:value`")
            }
            listing.add(
                """
                standing.target_id IN (SELECT target_id FROM target_label
                  WHERE name = :label\(index)_name AND value = :label\(index)_value)
                """, [("label\(index)_name", .text(parts[0])), ("label\(index)_value", .text(parts[1]))])
        }
    }
}

extension Database {
    /// `nil` for a target that is not configured.
    func targetRecord(_ id: TargetID) throws(StoreError) -> TargetRecord? {
        let row = try row(
            "SELECT \(TargetRecord.columns) FROM \(TargetRecord.source) WHERE standing.target_id = :id",
            [("id", .integer(id.rawValue))])
        guard let row else { return nil }
        return try TargetRecord(row: row)
    }
}

extension TargetRecord {
    static let columns = """
        \(Target.columns), standing.condition, standing.stale, standing.critical, standing.warning, standing.info, \
        status.last_scan_at, standing.leaf, leaf.spki, leaf.subject, leaf.not_after_at, \
        target.revision, target.created_at
        """
    static let source = """
        target_standing standing JOIN target ON target.id = standing.target_id
        JOIN target_status status ON status.target_id = standing.target_id
        LEFT JOIN certificate leaf ON leaf.sha256 = standing.leaf
        """

    init(row: Row) throws(StoreError) {
        let first = Target.columnCount
        guard let condition = TargetCondition(storedRank: try row.integer(first)) else {
            throw row.wrong(first, "a condition")
        }
        var leaf: Leaf?
        if let fingerprint = try row.digestOrNil(first + 6) {
            leaf = Leaf(
                fingerprint: fingerprint, spki: try row.digestOrNil(first + 7), subject: try row.textOrNil(first + 8),
                notAfter: try row.instantOrNil(first + 9))
        }
        self.init(
            target: try Target(row: row, at: 0), condition: condition, stale: try row.flag(first + 1),
            lastScanAt: try row.instantOrNil(first + 5),
            openFindings: FindingCounts(
                critical: try row.whole(first + 2), warning: try row.whole(first + 3), info: try row.whole(first + 4)),
            leaf: leaf, revision: try row.integer(first + 10), createdAt: try row.instant(first + 11))
    }
}
