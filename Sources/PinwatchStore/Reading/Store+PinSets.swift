package import PinwatchCore

extension Store {
    package func pinSets(_ request: PageRequest) async throws -> Page<PinSetRecord> {
        try await readPinSets { inForce, database in
            try request.refuseSort()
            try request.allow(filters: ["app", "release", "variant", "managed_by"])
            var listing = Listing(
                "pin_sets", columns: PinSetRecord.columns, source: "pin_set", keys: ["pin_set.app", "-pin_set.id"])
            listing.add("pin_set.removed_at IS NULL")
            if let apps = request.texts("app") { listing.add("pin_set.app", among: apps) }
            if let releases = request.texts("release") { listing.add("pin_set.release", among: releases) }
            if let variants = try request.words("variant", Variant.self) {
                listing.add("pin_set.variant", among: variants.map { .text($0.rawValue) })
            }
            if let managers = try request.words("managed_by", ManagedBy.self) {
                listing.add("pin_set.managed_by", among: managers.map { .text($0.rawValue) })
            }
            return try listing.page(request, from: database) { row in
                let id = PinSetID(try row.integer(0))
                return try database.record(
                    of: try inForce.pinSet(id, revision: try row.integer(1)), row)
            }
        }
    }

    package func pinSet(_ id: PinSetID) async throws -> PinSetRecord? {
        try await readPinSets { inForce, database in
            guard let row = try database.pinSetRow(id) else { return nil }
            return try database.record(of: try inForce.pinSet(id, revision: try row.integer(1)), row)
        }
    }

    package func targets(of pinSet: PinSetID) async throws -> [PinSetTarget] {
        try await read { database in try database.targets(of: pinSet) }
    }

    package func originals(of pinSet: PinSetID) async throws -> [HandedFile]? {
        try await read { database in
            try database.pinSetRow(pinSet) == nil ? nil : try database.originals(of: pinSet)
        }
    }

    package func pinSet(with identity: PinSetIdentity) async throws -> PinSetID? {
        try await read { database in
            try database.stored(identity).flatMap { $0.removed ? nil : $0.id }
        }
    }
}

extension PinSetRecord {
    /// Columns in the order that ``Database/record(of:_:)`` reads.
    fileprivate static let columns = """
        pin_set.id, pin_set.revision, pin_set.created_at, pin_set.updated_at,
        EXISTS (SELECT 1 FROM pin_set_original WHERE pin_set_original.pin_set_id = pin_set.id)
        """
}

extension Database {
    func pinSetRecord(_ pinSet: PinSet) throws(StoreError) -> PinSetRecord? {
        guard let row = try pinSetRow(pinSet.id) else { return nil }
        return try record(of: pinSet, row)
    }

    fileprivate func pinSetRow(_ id: PinSetID) throws(StoreError) -> Row? {
        try row(
            "SELECT \(PinSetRecord.columns) FROM pin_set WHERE id = :id AND removed_at IS NULL",
            [("id", .integer(id.rawValue))])
    }

    /// The counts are kept by `pin_set_tally` and `pin_set_reach`: a pin set may apply to 100,000 targets.
    fileprivate func record(of pinSet: PinSet, _ row: Row) throws(StoreError) -> PinSetRecord {
        let id: Values = [("id", .integer(pinSet.id.rawValue))]
        var verdicts: [VerdictKind: Int] = [:]
        for row in try rows("SELECT kind, count FROM pin_set_tally WHERE pin_set_id = :id AND count > 0", id) {
            verdicts[try row.word(0)] = try row.whole(1)
        }
        let reach = try self.row("SELECT targets FROM pin_set_reach WHERE pin_set_id = :id", id)
        return PinSetRecord(
            pinSet: pinSet, revision: try row.integer(1), createdAt: try row.instant(2), updatedAt: try row.instant(3),
            targetCount: try reach?.whole(0) ?? 0, verdicts: verdicts, hasOriginals: try row.flag(4))
    }

    /// The row that has an identity, and whether it was removed.
    func stored(_ identity: PinSetIdentity) throws(StoreError) -> (id: PinSetID, removed: Bool)? {
        let found = try row(
            """
            SELECT id, removed_at FROM pin_set
            WHERE app = :app AND release = :release AND variant = :variant AND stack = :stack
            """,
            [
                ("app", .text(identity.app)), ("release", .text(identity.release)),
                ("variant", .text(identity.variant.rawValue)), ("stack", .text(identity.stack)),
            ])
        guard let row = found else { return nil }
        return (PinSetID(try row.integer(0)), try row.instantOrNil(1) != nil)
    }

    /// Targets shown of a pin set.
    private static var shownTargets: Int { 200 }

    /// Worst first, and among those alike by host.
    fileprivate func targets(of pinSet: PinSetID) throws(StoreError) -> [PinSetTarget] {
        var targets: [PinSetTarget] = []
        for kind in VerdictKind.worstFirst where targets.count < Self.shownTargets {
            let found = try self.targets(of: pinSet, judged: kind, beside: Set(targets.map(\.targetID)))
            targets += found.prefix(Self.shownTargets - targets.count)
        }
        return targets + (try accepting(pinSet, atMost: Self.shownTargets - targets.count))
    }

    /// Targets with a verdict of a kind. A target has a row for each of its kinds of verdict, of which the worst counts:
    /// those that were found worse are passed over.
    private func targets(
        of pinSet: PinSetID, judged kind: VerdictKind, beside worse: Set<TargetID>
    ) throws(StoreError) -> [PinSetTarget] {
        var targets: [PinSetTarget] = []
        for row in try rows(
            """
            SELECT \(Target.columns), judged.addresses, judged.body FROM (
              SELECT target_id, count(DISTINCT address) AS addresses, min(body) AS body
              FROM verdict WHERE pin_set_id = :id AND kind = :kind GROUP BY target_id ORDER BY target_id LIMIT :limit
            ) AS judged JOIN target ON target.id = judged.target_id ORDER BY target.host, target.id
            """,
            [
                ("id", .integer(pinSet.rawValue)), ("kind", .text(kind.rawValue)),
                ("limit", .integer(Int64(Self.shownTargets + worse.count))),
            ])
        {
            let target = try Target(row: row, at: 0)
            guard !worse.contains(target.id) else { continue }
            let verdict = try ReleaseVerdict(stored: StoredObject(try row.text(Target.columnCount + 1))).deciding
            targets.append(
                PinSetTarget(
                    targetID: target.id, label: target.identity.label, verdict: verdict.kind, code: verdict.code,
                    reason: verdict.reason, addresses: try row.whole(Target.columnCount)))
        }
        return targets
    }

    /// Targets at which nothing but `accept` was found.
    private func accepting(_ pinSet: PinSetID, atMost limit: Int) throws(StoreError) -> [PinSetTarget] {
        var targets: [PinSetTarget] = []
        for row in try rows(
            """
            SELECT \(Target.columns), accepted.count FROM (
              SELECT target_id, count FROM verdict_accepted WHERE pin_set_id = :id AND NOT EXISTS (
                SELECT 1 FROM verdict
                WHERE verdict.pin_set_id = :id AND verdict.target_id = verdict_accepted.target_id)
              ORDER BY target_id LIMIT :limit
            ) AS accepted JOIN target ON target.id = accepted.target_id ORDER BY target.host, target.id
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
