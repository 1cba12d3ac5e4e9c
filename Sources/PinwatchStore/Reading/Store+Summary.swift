package import PinwatchCore

extension Store {
    package func summary(now: Instant) async throws -> SummaryRecord {
        try await read { database in try Self.summary(now: now, from: database) }
    }

    private static func summary(now: Instant, from database: any Database) throws(StoreError) -> SummaryRecord {
        var summary = SummaryRecord(
            targets: 0, addresses: 0, conditions: [:], findings: FindingCounts(), openAlerts: 0, pinSets: 0,
            broken: [], runway: [], changes: [], lastScanAt: nil, onTime: 0, failing: 0, unscanned: 0)
        try count(targets: &summary, from: database)
        summary.lastScanAt = try database.lastScanAt()
        summary.onTime = Int(
            try database.number(
                "SELECT count(*) FROM target_status WHERE on_time_until_at >= :now", [("now", .at(now))]))
        for row in try database.rows("SELECT severity, findings FROM finding_tally") {
            switch try row.integer(0) {
            case Severity.critical.storedRank: summary.findings.critical = try row.whole(1)
            case Severity.warning.storedRank: summary.findings.warning = try row.whole(1)
            default: summary.findings.info = try row.whole(1)
            }
        }
        summary.openAlerts = Int(try database.number("SELECT count(*) FROM alert WHERE resolved_at IS NULL"))
        summary.pinSets = Int(try database.number("SELECT count(*) FROM pin_set WHERE removed_at IS NULL"))
        for row in try database.rows(
            "SELECT body FROM finding WHERE severity < :info ORDER BY severity, since_at, id LIMIT 20",
            [("info", .integer(Severity.info.storedRank))])
        {
            summary.broken.append(try Finding(stored: StoredObject(try row.text(0))))
        }
        // First of all, since it puts the others in doubt.
        let doubt = try database.row(
            "SELECT body FROM finding WHERE kind = :kind LIMIT 1",
            [("kind", .text(FindingKind.vantageSuspect.rawValue))])
        if let doubt {
            summary.broken.removeAll { $0.kind == .vantageSuspect }
            summary.broken = [try Finding(stored: StoredObject(try doubt.text(0)))] + summary.broken.prefix(19)
        }
        for row in try database.rows(
            """
            SELECT \(Upcoming.columns) FROM upcoming
            WHERE ends_at > :now ORDER BY ends_at, id LIMIT 20
            """, [("now", .at(now))])
        {
            summary.runway.append(try Upcoming(row: row))
        }
        for row in try database.rows("SELECT id, \(Event.columns) FROM event ORDER BY id DESC LIMIT 20") {
            summary.changes.append(try EventRecord(row: row))
        }
        return summary
    }

    private static func count(targets summary: inout SummaryRecord, from database: any Database) throws(StoreError) {
        for row in try database.rows(
            "SELECT condition, targets, addresses, unscanned, failing FROM standing_tally")
        {
            guard let condition = TargetCondition(storedRank: try row.integer(0)) else {
                throw row.wrong(0, "a condition")
            }
            let targets = try row.whole(1)
            if targets > 0 { summary.conditions[condition] = targets }
            summary.targets += targets
            summary.addresses += try row.whole(2)
            summary.unscanned += try row.whole(3)
            summary.failing += try row.whole(4)
        }
    }
}
