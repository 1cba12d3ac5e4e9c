package import PinwatchCore

extension Store {
    package func addTargets(_ settings: [TargetSettings], _ change: Change) async throws -> [TargetRecord] {
        try await manage(change) { recording in
            var seen: Set<TargetIdentity> = []
            for (index, one) in settings.enumerated() where !seen.insert(one.identity).inserted {
                throw ChangeRefusal.invalid(
                    field: "[\(index)].host", message: "\(one.identity.label) is in the list twice; leave one")
            }
            let existing = try recording.existing(settings)
            guard existing.isEmpty else { throw ChangeRefusal.someExist(existing) }
            let ids = try settings.map { try recording.add($0, change) }
            return try ids.map { id in
                guard let record = try recording.database.targetRecord(id) else { throw ChangeRefusal.unknown }
                return record
            }
        }
    }

    package func changeTarget(
        _ id: TargetID, _ change: Change,
        _ edit: @escaping @Sendable (inout TargetSettings) throws(ChangeRefusal) -> Void
    ) async throws -> TargetRecord {
        try await manage(change) { recording in
            let known = try recording.managed(id, change)
            var settings = known.settings
            try edit(&settings)
            guard settings.identity == known.identity else {
                throw ChangeRefusal.invalid(
                    field: "host", message: "host, port, sni and starttls make the target; add another one instead")
            }
            settings.managedBy = .api
            if settings != known.settings {
                try recording.change(id, to: settings)
                try recording.note(
                    change, .targetUpdate, known.audited,
                    FieldChanges(from: known.settings.fields, to: settings.fields))
            }
            guard let record = try recording.database.targetRecord(id) else { throw ChangeRefusal.unknown }
            return record
        }
    }

    package func removeTarget(_ id: TargetID, _ change: Change) async throws {
        try await manage(change) { recording in
            let known = try recording.managed(id, change)
            try recording.remove(known)
            try recording.note(change, .targetDelete, known.audited)
        }
    }

    package func known(_ identities: [TargetIdentity]) async throws -> [TargetIdentity: KnownTarget] {
        try await read { database in
            var known: [TargetIdentity: KnownTarget] = [:]
            for identity in identities { known[identity] = try database.known(identity) }
            return known
        }
    }
}

extension Recording {
    /// Those that are watched already.
    fileprivate func existing(_ settings: [TargetSettings]) throws(StoreError) -> [ChangeRefusal.Existing] {
        var existing: [ChangeRefusal.Existing] = []
        for (index, one) in settings.enumerated() {
            guard let known = try database.known(one.identity), !known.removed else { continue }
            existing.append(ChangeRefusal.Existing(index: index, label: one.identity.label, id: known.id.text))
        }
        return existing
    }

    /// Adds a target that is not watched, or has one that was removed come back.
    fileprivate mutating func add(_ settings: TargetSettings, _ change: Change) throws(StoreError) -> TargetID {
        var settings = settings
        settings.managedBy = .api
        let known = try database.known(settings.identity)
        let target: Target
        if let known {
            target = Target(id: known.id, settings: settings)
            try revive(target)
        } else {
            target = try add(settings)
        }
        try note(change, .targetCreate, target.audited, FieldChanges(from: nil, to: settings.fields))
        return target.id
    }

    /// A target that is there and may be changed so.
    fileprivate func managed(_ id: TargetID, _ change: Change) throws -> Target {
        let found = try database.row(
            "SELECT \(Target.columns), target.revision FROM target WHERE id = :id AND removed_at IS NULL",
            [("id", .integer(id.rawValue))])
        guard let row = found else { throw ChangeRefusal.unknown }
        let target = try Target(row: row, at: 0)
        try change.check(target.settings.managedBy, revision: try row.integer(Target.columnCount))
        return target
    }
}

extension Target {
    fileprivate var audited: AuditObject { AuditObject(type: "target", id: id.text, name: identity.label) }
}

extension Database {
    fileprivate func known(_ identity: TargetIdentity) throws(StoreError) -> KnownTarget? {
        let found = try row(
            """
            SELECT id, removed_at FROM target
            WHERE host = :host AND port = :port AND sni = :sni AND starttls = :starttls
            """, identity.values)
        guard let row = found else { return nil }
        return KnownTarget(id: TargetID(try row.integer(0)), removed: try row.instantOrNil(1) != nil)
    }
}
