internal import PinwatchCore

extension Recording {
    /// Adds, changes and removes the targets that the configuration file manages.
    mutating func synchronize(targets wanted: [TargetSettings]) throws(StoreError) {
        var stored: [TargetIdentity: (target: Target, removed: Bool, period: Int64?)] = [:]
        for row in try database.rows(
            """
            SELECT \(Target.columns), target.removed_at, status.period_s
            FROM target LEFT JOIN target_status status ON status.target_id = target.id
            """)
        {
            let target = try Target(row: row, at: 0)
            stored[target.identity] = (
                target, try row.instantOrNil(Target.columnCount) != nil,
                try row.integerOrNil(Target.columnCount + 1)
            )
        }
        for settings in wanted {
            let period = settings.periodSeconds ?? judge.policy.periodSeconds
            guard let known = stored.removeValue(forKey: settings.identity) else {
                try add(settings, period: period)
                continue
            }
            if known.removed {
                try revive(Target(id: known.target.id, settings: settings), period: period)
            } else if known.target.settings != settings || known.period != period {
                try change(known.target.id, to: settings, period: period)
            }
        }
        for (target, removed, _) in stored.values.sorted(by: { $0.target.id < $1.target.id })
        where !removed && target.settings.managedBy == .config {
            try remove(target)
        }
    }

    private mutating func add(_ settings: TargetSettings, period: Int64) throws(StoreError) {
        let id = try database.number(
            """
            INSERT INTO target (host, is_address, port, sni, starttls, owner, labels, period_s, addresses, trust_store,
              paused, managed_by, added_at)
            VALUES (:host, :is_address, :port, :sni, :starttls, :owner, :labels, :period_s, :addresses, :trust_store,
              :paused, :managed_by, :added) RETURNING id
            """,
            settings.identity.values + settings.values
                + [("is_address", .flag(settings.identity.isAddress)), ("added", .at(now))])
        try begin(Target(id: TargetID(id), settings: settings), period: period)
    }

    /// A target that comes back is the same one; it counts as not scanned yet.
    private mutating func revive(_ target: Target, period: Int64) throws(StoreError) {
        try write(target.settings, of: target.id)
        try database.run(
            "UPDATE target SET removed_at = NULL, added_at = :now WHERE id = :id",
            [("id", .integer(target.id.rawValue)), ("now", .at(now))])
        try begin(target, period: period)
    }

    /// The rows that only a configured target has, and the event.
    private mutating func begin(_ target: Target, period: Int64) throws(StoreError) {
        let id: Values = [("id", .integer(target.id.rawValue))]
        try database.run(
            "INSERT INTO target_status (target_id, failures, period_s) VALUES (:id, 0, :period)",
            id + [("period", .integer(period))])
        try database.run(
            """
            INSERT INTO target_standing (target_id, host, owner, condition, stale, critical, warning, info, addresses,
              leaf_ends_at, scanned, failing)
            VALUES (:id, :host, :owner, :condition, 0, 0, 0, 0, 0, :ends, 0, 0)
            """,
            id + [
                ("host", .text(target.host.text)), ("owner", .text(target.settings.owner.rawValue)),
                ("condition", .integer(TargetCondition.unknown.storedRank)), ("ends", .integer(.max)),
            ])
        try writeLabels(of: target)
        try announce(.targetAdded, target, "\(target.identity.label) is watched from now on.")
    }

    private func change(_ id: TargetID, to settings: TargetSettings, period: Int64) throws(StoreError) {
        try write(settings, of: id)
        let values: Values = [("id", .integer(id.rawValue))]
        try database.run(
            """
            UPDATE target_status SET period_s = :period, on_time_until_at = last_scan_at + 3 * :period / 2
            WHERE target_id = :id
            """,
            values + [("period", .integer(period))])
        try database.run(
            "UPDATE target_standing SET owner = :owner WHERE target_id = :id",
            values + [("owner", .text(settings.owner.rawValue))])
        try writeLabels(of: Target(id: id, settings: settings))
        try database.schedule(.host(settings.identity.host.text), at: now)
    }

    private func write(_ settings: TargetSettings, of id: TargetID) throws(StoreError) {
        try database.run(
            """
            UPDATE target SET owner = :owner, labels = :labels, period_s = :period_s, addresses = :addresses,
              trust_store = :trust_store, paused = :paused, managed_by = :managed_by WHERE id = :id
            """, settings.values + [("id", .integer(id.rawValue))])
    }

    private func writeLabels(of target: Target) throws(StoreError) {
        let id: Values = [("id", .integer(target.id.rawValue))]
        try database.run("DELETE FROM target_label WHERE target_id = :id", id)
        for (name, value) in target.settings.labels {
            try database.run(
                "INSERT INTO target_label (name, value, target_id) VALUES (:name, :value, :id)",
                id + [("name", .text(name)), ("value", .text(value))])
        }
    }

    /// Keeps the row and its history; spans end now, since nobody looks any longer.
    private mutating func remove(_ target: Target) throws(StoreError) {
        let id: Values = [("id", .integer(target.id.rawValue))]
        let at = id + [("now", .at(now))]
        try database.run("UPDATE target SET removed_at = :now WHERE id = :id", at)
        try database.run("UPDATE span SET closed_at = :now WHERE target_id = :id AND closed_at IS NULL", at)
        try database.run(
            """
            UPDATE serving SET current = 0
            WHERE current = 1 AND span_id IN (SELECT id FROM span WHERE target_id = :id)
            """, id)
        try database.run("UPDATE observation SET current = 0 WHERE target_id = :id AND current = 1", id)
        for table in [
            "target_status", "target_standing", "target_label", "address_resolution", "verdict", "verdict_accepted",
        ] {
            try database.run("DELETE FROM \(table) WHERE target_id = :id", id)
        }
        try announce(.targetRemoved, target, "\(target.identity.label) is not watched any longer.")
    }

    private mutating func announce(_ kind: EventKind, _ target: Target, _ summary: String) throws(StoreError) {
        let event = Event(
            kind: kind, at: now, targetID: target.id, subject: target.identity.label, quiet: false, summary: summary,
            evidence: .object([]))
        try tell([event], target: target)
        try database.schedule(.host(target.host.text), at: now)
        try database.schedule(.installation, at: now)
    }
}
