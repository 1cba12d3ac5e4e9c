internal import PinwatchCore

extension Recording {
    /// The seconds between a target's scans.
    func period(of settings: TargetSettings) -> Int64 { settings.periodSeconds ?? policy.periodSeconds }

    mutating func add(_ settings: TargetSettings) throws(StoreError) -> Target {
        let id = try database.number(
            """
            INSERT INTO target (host, is_address, port, sni, starttls, owner, labels, period_s, addresses,
              address_policy, trust_store, paused, managed_by, added_at, created_at, updated_at)
            VALUES (:host, :is_address, :port, :sni, :starttls, :owner, :labels, :period_s, :addresses,
              :address_policy, :trust_store, :paused, :managed_by, :added, :added, :added) RETURNING id
            """,
            settings.identity.values + settings.values
                + [("is_address", .flag(settings.identity.isAddress)), ("added", .at(now))])
        let target = Target(id: TargetID(id), settings: settings)
        try begin(target)
        return target
    }

    /// A target that comes back is the same one; it counts as not scanned yet.
    mutating func revive(_ target: Target) throws(StoreError) {
        try write(target.settings, of: target.id)
        try database.run(
            "UPDATE target SET removed_at = NULL, added_at = :now WHERE id = :id",
            [("id", .integer(target.id.rawValue)), ("now", .at(now))])
        try begin(target)
    }

    /// The rows that only a configured target has, and the event.
    private mutating func begin(_ target: Target) throws(StoreError) {
        let id: Values = [("id", .integer(target.id.rawValue))]
        try database.run(
            "INSERT INTO target_status (target_id, failures, period_s) VALUES (:id, 0, :period)",
            id + [("period", .integer(period(of: target.settings)))])
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
        changed(target.id, to: target)
        try announce(.targetAdded, target, "\(target.identity.label) is watched from now on.")
    }

    mutating func change(_ id: TargetID, to settings: TargetSettings) throws(StoreError) {
        try write(settings, of: id)
        try movePeriod(of: id, settings)
        try database.run(
            "UPDATE target_standing SET owner = :owner WHERE target_id = :id",
            [("id", .integer(id.rawValue)), ("owner", .text(settings.owner.rawValue))])
        let target = Target(id: id, settings: settings)
        try writeLabels(of: target)
        changed(id, to: target)
        try database.schedule(.host(settings.identity.host.text), at: now)
    }

    /// That the same settings now mean another period, since the configuration's has changed.
    mutating func movePeriod(of id: TargetID, _ settings: TargetSettings) throws(StoreError) {
        try database.run(
            """
            UPDATE target_status SET period_s = :period, on_time_until_at = last_scan_at + 3 * :period / 2
            WHERE target_id = :id
            """, [("id", .integer(id.rawValue)), ("period", .integer(period(of: settings)))])
        try database.schedule(.host(settings.identity.host.text), at: now)
        changed(id, to: Target(id: id, settings: settings))
    }

    private mutating func changed(_ id: TargetID, to target: Target?) {
        forgotten.insert(id)
        commit.targets[id] = .some(target)
        commit.topics.insert(.targets)
    }

    private func write(_ settings: TargetSettings, of id: TargetID) throws(StoreError) {
        try database.run(
            """
            UPDATE target SET owner = :owner, labels = :labels, period_s = :period_s, addresses = :addresses,
              address_policy = :address_policy, trust_store = :trust_store, paused = :paused,
              managed_by = :managed_by, revision = revision + 1, updated_at = :now
            WHERE id = :id
            """, settings.values + [("id", .integer(id.rawValue)), ("now", .at(now))])
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
    mutating func remove(_ target: Target) throws(StoreError) {
        let id: Values = [("id", .integer(target.id.rawValue))]
        let at = id + [("now", .at(now))]
        try database.run("UPDATE target SET removed_at = :now, revision = revision + 1 WHERE id = :id", at)
        try database.run("UPDATE span SET closed_at = :now WHERE target_id = :id AND closed_at IS NULL", at)
        try database.run(
            """
            UPDATE serving SET current = 0
            WHERE current = 1 AND span_id IN (SELECT id FROM span WHERE target_id = :id)
            """, id)
        try database.run("UPDATE observation SET current = 0 WHERE target_id = :id AND current = 1", id)
        for table in [
            "target_status", "target_standing", "target_label", "address_resolution", "verdict", "verdict_accepted",
            "rollout", "target_authority",
        ] {
            try database.run("DELETE FROM \(table) WHERE target_id = :id", id)
        }
        changed(target.id, to: nil)
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
