package import PinwatchCore

extension Store {
    package func pinSets(_ request: PageRequest) async throws -> Page<PinSetRecord> {
        try await writer.pinSets(request)
    }

    package func pinSet(_ id: PinSetID) async throws -> PinSetRecord? { try await writer.pinSet(id) }

    package func targets(of pinSet: PinSetID) async throws -> [PinSetTarget] {
        try await read { database in try database.targets(of: pinSet) }
    }
}

/// Pin sets are read on the writer's turn: their pins are not in the rows but in the policy in force.
extension Writer {
    fileprivate func pinSets(_ request: PageRequest) throws -> Page<PinSetRecord> {
        try request.refuseSort()
        try request.allow(filters: ["app", "release", "variant", "managed_by"])
        var listing = Listing(
            "pin_sets", columns: "pin_set.id", source: "pin_set", keys: ["pin_set.app", "-pin_set.id"])
        listing.add("pin_set.removed_at IS NULL")
        if let apps = request.texts("app") { listing.add("pin_set.app", among: apps) }
        if let releases = request.texts("release") { listing.add("pin_set.release", among: releases) }
        if let variants = try request.words("variant", Variant.self) {
            listing.add("pin_set.variant", among: variants.map { .text($0.rawValue) })
        }
        if let managers = try request.words("managed_by", ManagedBy.self) {
            listing.add("pin_set.managed_by", among: managers.map { .text($0.rawValue) })
        }
        let inForce = Dictionary(policy.pinSets.map { ($0.id, $0) }) { first, _ in first }
        let database = try connection()
        return try listing.page(request, from: database) { row in
            guard let pinSet = inForce[PinSetID(try row.integer(0))],
                let record = try database.pinSetRecord(pinSet)
            else { throw StoreError.unreadableRow(column: 0, why: "a pin set is stored and not in force") }
            return record
        }
    }

    fileprivate func pinSet(_ id: PinSetID) throws(StoreError) -> PinSetRecord? {
        guard let pinSet = policy.pinSets.first(where: { $0.id == id }) else { return nil }
        return try connection().pinSetRecord(pinSet)
    }
}

extension Database {
    func pinSetRecord(_ pinSet: PinSet) throws(StoreError) -> PinSetRecord? {
        let id: Values = [("id", .integer(pinSet.id.rawValue))]
        let found = try row(
            "SELECT revision, created_at, updated_at FROM pin_set WHERE id = :id AND removed_at IS NULL", id)
        guard let row = found else { return nil }
        var verdicts: [VerdictKind: Int] = [:]
        for row in try rows(
            "SELECT kind, count(*) FROM verdict WHERE pin_set_id = :id GROUP BY kind", id)
        {
            verdicts[try row.word(0)] = try row.whole(1)
        }
        let accepted = try number(
            "SELECT coalesce(sum(count), 0) FROM verdict_accepted WHERE pin_set_id = :id", id)
        if accepted > 0 { verdicts[.accept] = Int(accepted) }
        let targets = try number(
            """
            SELECT count(*) FROM (SELECT target_id FROM verdict WHERE pin_set_id = :id
              UNION SELECT target_id FROM verdict_accepted WHERE pin_set_id = :id) AS judged
            """, id)
        return PinSetRecord(
            pinSet: pinSet, revision: try row.integer(0), createdAt: try row.instant(1), updatedAt: try row.instant(2),
            targetCount: Int(targets), verdicts: verdicts)
    }

    /// Targets shown of a pin set.
    private static var shownTargets: Int { 200 }

    fileprivate func targets(of pinSet: PinSetID) throws(StoreError) -> [PinSetTarget] {
        let id: Values = [("id", .integer(pinSet.rawValue))]
        let order = VerdictKind.worstFirst.enumerated().map { "WHEN '\($0.element.rawValue)' THEN \($0.offset)" }
        var targets: [PinSetTarget] = []
        var seen: Set<TargetID> = []
        // A target has a row for each of its kinds of verdict, of which the worst counts.
        for row in try rows(
            """
            SELECT \(Target.columns), judged.kind, judged.addresses, judged.body FROM (
              SELECT target_id, kind, count(DISTINCT address) AS addresses, min(body) AS body
              FROM verdict WHERE pin_set_id = :id GROUP BY target_id, kind
            ) AS judged JOIN target ON target.id = judged.target_id
            ORDER BY CASE judged.kind \(order.joined(separator: " ")) ELSE 99 END, target.host, target.id LIMIT :limit
            """, id + [("limit", .integer(Int64(Self.shownTargets * VerdictKind.allCases.count)))])
        {
            let target = try Target(row: row, at: 0)
            guard targets.count < Self.shownTargets, seen.insert(target.id).inserted else { continue }
            let first = Target.columnCount
            let verdict = try ReleaseVerdict(stored: StoredObject(try row.text(first + 2))).deciding
            targets.append(
                PinSetTarget(
                    targetID: target.id, label: target.identity.label, verdict: verdict.kind, code: verdict.code,
                    reason: verdict.reason, addresses: try row.whole(first + 1)))
        }
        return targets + (try accepting(pinSet, atMost: Self.shownTargets - targets.count))
    }

    /// Targets at which nothing but `accept` was found.
    private func accepting(_ pinSet: PinSetID, atMost limit: Int) throws(StoreError) -> [PinSetTarget] {
        var targets: [PinSetTarget] = []
        for row in try rows(
            """
            SELECT \(Target.columns), accepted.count
            FROM verdict_accepted accepted JOIN target ON target.id = accepted.target_id
            WHERE accepted.pin_set_id = :id AND NOT EXISTS (
              SELECT 1 FROM verdict WHERE verdict.pin_set_id = :id AND verdict.target_id = accepted.target_id)
            ORDER BY target.host, target.id LIMIT :limit
            """, [("id", .integer(pinSet.rawValue)), ("limit", .integer(Int64(limit)))])
        {
            let target = try Target(row: row, at: 0)
            targets.append(
                PinSetTarget(
                    targetID: target.id, label: target.identity.label, verdict: .accept, code: "accept",
                    reason: "every address is accepted", addresses: try row.whole(Target.columnCount)))
        }
        return targets
    }
}

extension VerdictKind {
    fileprivate static let worstFirst: [VerdictKind] = [
        .rejectPin, .configError, .rejectChain, .dependsOnPath, .unknown, .unpinned, .acceptReport, .notEvaluated,
        .accept,
    ]
}
