package import PinwatchCore

extension Store {
    /// Pins are in the policy and not in rows, so they may be those of a commit more or less than the targets.
    package func coverage(now: Instant) async throws -> CoverageRecord {
        let pinSets = writer.pinSetsInForce.byID.values.sorted { $0.id < $1.id }
        return try await read { database in
            let hosts = try database.rows(
                "SELECT DISTINCT CASE sni WHEN '' THEN host ELSE sni END FROM target WHERE removed_at IS NULL"
            ).map { try $0.text(0) }
            let unscanned = Coverage(of: pinSets, watched: hosts, now: now).unscanned
            let kind: Values = [("kind", .text(FindingKind.hostUnpinned.rawValue))]
            let unpinned = try database.rows(
                """
                SELECT \(Target.columns) FROM finding JOIN target ON target.id = finding.target_id
                WHERE finding.kind = :kind ORDER BY finding.severity, finding.since_at, finding.id
                LIMIT \(CoverageRecord.limit)
                """, kind
            ).map { row in
                let target = try Target(row: row, at: 0)
                return CoverageRecord.UnpinnedTarget(id: target.id, label: target.identity.label)
            }
            return CoverageRecord(
                unpinned: unpinned,
                unpinnedTotal: Int(try database.number("SELECT count(*) FROM finding WHERE kind = :kind", kind)),
                unscanned: Array(unscanned.prefix(CoverageRecord.limit)), unscannedTotal: unscanned.count)
        }
    }
}
