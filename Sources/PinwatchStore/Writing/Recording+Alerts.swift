internal import PinwatchCore

extension Recording {
    /// Writes alerts first, since findings and outbox rows carry their numbers.
    ///
    /// - Parameter labels: The labels of the targets that a finding concerns.
    mutating func write(
        _ changes: BookChanges, of scope: EvaluationScope, labels: (Finding) -> [String]
    ) throws(StoreError) {
        guard !changes.changes.isEmpty || !changes.outbox.isEmpty else { return }
        commit.topics.insert(.findings)
        var numbers: [String: AlertID] = [:]
        for change in changes.changes {
            switch change {
            case .open(let finding, let alert?), .update(let finding, let alert?, _), .resolve(let finding, let alert?):
                numbers[finding.key] = try keep(alert, finding, labels: labels(finding))
            case .open(_, nil), .update(_, nil, _), .resolve(_, nil): break
            }
        }
        options.checkpoint("store.record.after_alerts")
        for change in changes.changes {
            switch change {
            case .open(let finding, _), .update(let finding, _, _):
                try keep(finding, of: scope, alert: numbers[finding.key])
            case .resolve(let finding, _):
                try database.run("DELETE FROM finding WHERE key = :key", [("key", .text(finding.key))])
            }
        }
        options.checkpoint("store.record.after_findings")
        for item in changes.outbox { try owe(item, numbers: numbers) }
        options.checkpoint("store.record.after_outbox")
    }

    /// Appends events, and what routes owe of them.
    mutating func tell(_ found: [Event], target: Target?) throws(StoreError) {
        for event in found {
            let id = try database.number(
                """
                INSERT INTO event (\(Event.columns))
                VALUES (:kind, :at, :target_id, :subject, :class, :quiet, :summary, :evidence) RETURNING id
                """, event.values)
            commit.events.append(EventRecord(id: id, event: event))
        }
        let items = AlertBook.outbox(
            for: found, policy: policy, targets: { $0 == target?.id ? target : nil }, windows: &windows, now: now)
        for item in items { try owe(item, numbers: [:]) }
        options.checkpoint("store.record.after_events")
    }

    private mutating func owe(_ item: OutboxItem, numbers: [String: AlertID]) throws(StoreError) {
        var alertID: AlertID?
        if case .alert(_, let alert, let finding) = item.subject {
            alertID = alert.id.rawValue == 0 ? numbers[finding.key] : alert.id
        }
        try database.run(
            """
            INSERT INTO outbox (channel, alert_id, hold_until_at, at, body)
            VALUES (:channel, :alert_id, :hold_until_at, :at, :body)
            """, item.values(alertID: alertID))
        commit.owed += 1
    }

    private mutating func keep(_ alert: Alert, _ finding: Finding, labels: [String]) throws(StoreError) -> AlertID {
        commit.topics.insert(.alerts)
        let body: Values = [
            ("finding", .text(finding.stored.text)), ("target_id", .optional(finding.targetID?.rawValue)),
        ]
        guard alert.id.rawValue == 0 else {
            try database.run(
                """
                UPDATE alert SET finding_key = :finding_key, kind = :kind, state = :state, severity = :severity,
                  opened_at = :opened_at, acknowledged_by = :acknowledged_by, acknowledged_at = :acknowledged_at,
                  acknowledged_note = :acknowledged_note, silenced_by = :silenced_by, resolved_at = :resolved_at,
                  reminders = :reminders, told = :told, at_silence = :at_silence, target_id = :target_id, finding = :finding
                WHERE id = :id
                """, alert.values + body + [("id", .integer(alert.id.rawValue))])
            return alert.id
        }
        return AlertID(
            try database.number(
                """
                INSERT INTO alert (finding_key, kind, state, severity, opened_at, acknowledged_by, acknowledged_at,
                  acknowledged_note, silenced_by, resolved_at, reminders, told, at_silence, target_id, subjects,
                  finding)
                VALUES (:finding_key, :kind, :state, :severity, :opened_at, :acknowledged_by, :acknowledged_at,
                  :acknowledged_note, :silenced_by, :resolved_at, :reminders, :told, :at_silence,
                  :target_id, :subjects, :finding)
                RETURNING id
                """, alert.values + body + [("subjects", .text(JSON.strings(labels).text))]))
    }

    private func keep(_ finding: Finding, of scope: EvaluationScope, alert: AlertID?) throws(StoreError) {
        try database.run(
            """
            INSERT INTO finding (key, scope_key, kind, severity, target_id, pin_set_id, stale, since_at, alert_id, body)
            VALUES (:key, :scope, :kind, :severity, :target, :pin_set, :stale, :since, :alert, :body)
            ON CONFLICT (key) DO UPDATE SET scope_key = excluded.scope_key, severity = excluded.severity,
              target_id = excluded.target_id, pin_set_id = excluded.pin_set_id, stale = excluded.stale,
              since_at = excluded.since_at, alert_id = excluded.alert_id, body = excluded.body
            """,
            [
                ("key", .text(finding.key)), ("scope", .text(scope.key)), ("kind", .text(finding.kind.rawValue)),
                ("severity", .integer(finding.severity.storedRank)),
                ("target", .optional(finding.targetID?.rawValue)), ("pin_set", .optional(finding.pinSetID?.rawValue)),
                ("stale", .flag(finding.stale)), ("since", .at(finding.since)), ("alert", .optional(alert?.rawValue)),
                ("body", .text(finding.stored.text)),
            ])
    }
}
