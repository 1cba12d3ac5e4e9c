package import PinwatchCore

extension Store {
    package func silences(_ request: PageRequest, now: Instant) async throws -> Page<SilenceRecord> {
        let zones = writer.options.timeZones
        return try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["state", "managed_by"])
            var listing = Listing(
                "silences", columns: "ranked.id", source: try database.rankedSilences(now: now, zones: zones),
                keys: ["ranked.place", "-ranked.id"])
            if let states = try request.words("state", SilenceRecord.State.self) {
                listing.add("ranked.place", among: states.map { .integer($0.place) })
            }
            if let managers = try request.words("managed_by", ManagedBy.self) {
                listing.add("ranked.managed_by", among: managers.map { .text($0.rawValue) })
            }
            return try listing.page(request, from: database) { row in
                let id = SilenceID(try row.integer(0))
                guard let record = try database.silenceRecord(id, now: now, zones: zones) else {
                    throw StoreError.unreadableRow(column: 0, why: "the silence's row is missing")
                }
                return record
            }
        }
    }

    package func silence(_ id: SilenceID, now: Instant) async throws -> SilenceRecord? {
        let zones = writer.options.timeZones
        return try await read { database in try database.silenceRecord(id, now: now, zones: zones) }
    }

    package func previewSilence(_ silence: Silence) async throws -> SilencePreview {
        try await read { database in
            let (alerts, alertCount) = try database.alerts(coveredBy: silence.matchers)
            let (targets, targetCount) = try database.targets(coveredBy: silence.matchers)
            return SilencePreview(
                alerts: alerts, alertCount: alertCount, targets: targets, targetCount: targetCount)
        }
    }
}

extension SilenceRecord.State {
    /// In lists.
    fileprivate var place: Int64 {
        switch self {
        case .active: 0
        case .pending: 1
        case .ended: 2
        }
    }
}

extension Database {
    func silenceRecord(_ id: SilenceID, now: Instant, zones: any TimeZones) throws(StoreError) -> SilenceRecord? {
        let found = try row(
            "SELECT \(SilenceRecord.columns) FROM silence WHERE id = :id", [("id", .integer(id.rawValue))])
        guard let row = found else { return nil }
        let alerts = try number(
            "SELECT count(*) FROM alert WHERE silenced_by = :id AND resolved_at IS NULL", [("id", .text(id.text))])
        return try SilenceRecord(row: row, alerts: Int(alerts), now: now, zones: zones)
    }

    /// All silences with their place in lists. Weekly windows are beyond SQL, so that place is written out for those
    /// that have not ended; numbers alone go into the text.
    fileprivate func rankedSilences(now: Instant, zones: any TimeZones) throws(StoreError) -> String {
        var active: [String] = []
        for row in try rows(
            """
            SELECT \(SilenceRecord.columns) FROM silence WHERE weekly = 1 AND (ends_at IS NULL OR ends_at > :now)
            """, [("now", .at(now))])
        {
            let record = try SilenceRecord(row: row, alerts: 0, now: now, zones: zones)
            if record.state == .active { active.append(record.id.text) }
        }
        let weekly = active.isEmpty ? "0" : active.joined(separator: ", ")
        return """
            (SELECT id, managed_by, CASE WHEN ends_at <= \(now.unixSeconds) THEN 2
                WHEN weekly = 0 AND starts_at <= \(now.unixSeconds) THEN 0
                WHEN weekly = 1 AND id IN (\(weekly)) THEN 0 ELSE 1 END AS place
              FROM silence) AS ranked
            """
    }

    /// Alerts that would be silenced, worst first, at most 50 of them.
    fileprivate func alerts(coveredBy matchers: Silence.Matchers) throws(StoreError) -> ([AlertRecord], count: Int) {
        let reach = SilenceReach(matchers)
        var shown: [AlertRecord] = []
        var count = 0
        var known: [String: [Target]] = [:]
        for row in try rows(
            """
            SELECT reached.scope_key, reached.body, reached.alert_id FROM (
              \(reach.findings(
                "finding.id, finding.scope_key, finding.body, finding.alert_id, finding.severity, finding.since_at",
                states: [.open, .acknowledged]))
            ) AS reached ORDER BY reached.severity, reached.since_at, reached.id
            """, reach.values)
        {
            if reach.asksForTarget {
                let finding = try Finding(stored: StoredObject(try row.text(1)))
                guard matchers.cover(finding, targets: try targets(of: finding, in: row.text(0), &known)) else {
                    continue
                }
            }
            count += 1
            guard shown.count < 50, let alert = try alertRecord(AlertID(try row.integer(2))) else { continue }
            shown.append(alert)
        }
        return (shown, count)
    }

    /// The targets that a finding of a scope concerns.
    private func targets(
        of finding: Finding, in scope: String, _ known: inout [String: [Target]]
    ) throws(StoreError) -> [Target] {
        guard case .host(let host) = try EvaluationScope(key: scope) else { return [] }
        let live = if let read = known[host] { read } else { try targets(of: host).live }
        known[host] = live
        return finding.targetID.map { id in live.filter { $0.id == id } } ?? live
    }

    /// Targets that are covered, by host, at most 50 of them.
    fileprivate func targets(
        coveredBy matchers: Silence.Matchers
    ) throws(StoreError) -> ([(id: TargetID, label: String)], count: Int) {
        let reach = SilenceReach(matchers)
        var targets: [(id: TargetID, label: String)] = []
        for row in try rows(
            "SELECT \(Target.columns) FROM \(reach.targets) ORDER BY standing.host, standing.target_id LIMIT 50",
            reach.targetValues)
        {
            let target = try Target(row: row, at: 0)
            targets.append((target.id, target.identity.label))
        }
        return (targets, Int(try number("SELECT count(*) FROM \(reach.targets)", reach.targetValues)))
    }
}
