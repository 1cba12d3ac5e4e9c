internal import PinwatchCore

extension Recording {
    /// Reconciles a scope's stored findings, alerts, runway and next judgement with an evaluation.
    ///
    /// - Returns: The scope's findings that are open now.
    @discardableResult
    mutating func settle(
        _ scope: EvaluationScope, _ evaluation: Evaluation, about live: [Target] = [], removed: [Target] = []
    ) throws(StoreError) -> [Finding] {
        let open = try openFindings(of: scope)
        let changes = try reconcile(scope, found: evaluation.findings, open: open, about: live, removed: removed)
        try writeUpcoming(evaluation.upcoming, of: scope)
        try writeNextChange(evaluation.nextChange, of: scope)
        return Self.standing(after: changes, open)
    }

    /// Writes and owes what makes the stored findings of a scope those that were found.
    mutating func reconcile(
        _ scope: EvaluationScope, found: [Finding], open: [OpenFinding], about live: [Target], removed: [Target]
    ) throws(StoreError) -> BookChanges {
        let targets = Dictionary((live + removed).map { ($0.id, $0) }) { first, _ in first }
        var suspects: [TargetID: Instant] = [:]
        if case .host(let host) = scope { suspects = try database.suspects(of: host) }
        let changes = AlertBook.reconcile(
            found: found, open: open, policy: policy, targets: { targets[$0] }, about: live, suspects: suspects,
            windows: &windows, now: now)
        try write(
            changes, of: scope,
            labels: { finding in
                guard let id = finding.targetID else { return live.map(\.identity.label) }
                return targets[id].map { [$0.identity.label] } ?? []
            })
        return changes
    }

    private static func standing(after changes: BookChanges, _ open: [OpenFinding]) -> [Finding] {
        var findings = Dictionary(open.map { ($0.finding.key, $0.finding) }) { first, _ in first }
        for change in changes.changes {
            switch change {
            case .open(let finding, _), .update(let finding, _, _): findings[finding.key] = finding
            case .resolve(let finding, _): findings[finding.key] = nil
            }
        }
        return Array(findings.values)
    }

    func openFindings(of scope: EvaluationScope) throws(StoreError) -> [OpenFinding] {
        var open: [OpenFinding] = []
        for row in try database.rows(
            """
            SELECT finding.body, finding.alert_id, \(Alert.columns)
            FROM finding LEFT JOIN alert ON alert.id = finding.alert_id
            WHERE finding.scope_key = :scope ORDER BY finding.id
            """, [("scope", .text(scope.key))])
        {
            let alert = row[2] == .null ? nil : try Alert(row: row, at: 2)
            open.append(OpenFinding(finding: try Finding(stored: StoredObject(try row.text(0))), alert: alert))
        }
        return open
    }

    private func writeUpcoming(_ upcoming: [Upcoming], of scope: EvaluationScope) throws(StoreError) {
        let key: Values = [("scope", .text(scope.key))]
        let new = upcoming.map { item in
            [
                Value.text(item.kind.rawValue), .at(item.endsAt), .optional(item.targetID?.rawValue),
                .optional(item.pinSetID?.rawValue), .text(item.subject), .text(item.summary),
                item.share.map { .real($0) } ?? .null,
            ]
        }
        let old = try database.rows(
            """
            SELECT kind, ends_at, target_id, pin_set_id, subject, summary, share FROM upcoming
            WHERE scope_key = :scope ORDER BY id
            """, key
        ).map(\.values)
        guard new != old else { return }
        try database.run("DELETE FROM upcoming WHERE scope_key = :scope", key)
        for values in new {
            try database.run(
                """
                INSERT INTO upcoming (scope_key, kind, ends_at, target_id, pin_set_id, subject, summary, share)
                VALUES (:scope, :kind, :ends, :target, :pin_set, :subject, :summary, :share)
                """,
                key + [
                    ("kind", values[0]), ("ends", values[1]), ("target", values[2]), ("pin_set", values[3]),
                    ("subject", values[4]), ("summary", values[5]), ("share", values[6]),
                ])
        }
        options.checkpoint("store.record.after_upcoming")
    }

    /// An answer that would change at once is asked for again a second later at the earliest.
    private func writeNextChange(_ next: Instant?, of scope: EvaluationScope) throws(StoreError) {
        guard let next else {
            try database.run("DELETE FROM evaluation WHERE scope_key = :scope", [("scope", .text(scope.key))])
            return
        }
        try database.schedule(scope, at: max(next, now + 1))
    }
}

extension Database {
    /// Has a scope judged at an instant, by the clock.
    func schedule(_ scope: EvaluationScope, at instant: Instant) throws(StoreError) {
        try run(
            """
            INSERT INTO evaluation (scope_key, next_change_at) VALUES (:scope, :at)
            ON CONFLICT (scope_key) DO UPDATE SET next_change_at = excluded.next_change_at
            """, [("scope", .text(scope.key)), ("at", .at(instant))])
    }
}
