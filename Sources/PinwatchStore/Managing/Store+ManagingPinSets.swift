package import PinwatchCore

extension Store {
    package func addPinSet(_ definition: PinSetDefinition, _ change: Change) async throws -> PinSetRecord {
        try await manage(change) { recording in
            try recording.record(of: try recording.take(definition, replacing: false, change))
        }
    }

    package func importPinSets(
        _ pinSets: [NewPinSet], replacing: Bool, _ change: Change
    ) async throws -> [PinSetRecord] {
        try await manage(change) { recording in
            var records: [PinSetRecord] = []
            for new in pinSets {
                let pinSet = try recording.take(new.definition, replacing: replacing, change)
                try recording.database.replaceOriginals(of: pinSet.id, by: new.originals)
                records.append(try recording.record(of: pinSet))
            }
            return records
        }
    }

    package func changePinSet(
        _ id: PinSetID, to definition: PinSetDefinition, _ change: Change
    ) async throws -> PinSetRecord {
        try await manage(change) { recording in
            let known = try recording.managed(id, change)
            guard known.identity == definition.identity else {
                throw ChangeRefusal.invalid(
                    field: "source",
                    message: "app, release, variant and stack make the pin set (\(known.identity.label)); add another "
                        + "one instead")
            }
            let new = definition.kept(by: .api)
            guard known.definition.values.map(\.value) != new.values.map(\.value) else {
                return try recording.record(of: known)
            }
            let pinSet = try recording.put(new, over: known)
            // They are not what it was read from any longer.
            try recording.database.removeOriginals(of: id)
            try recording.note(
                change, .pinSetUpdate, pinSet.audited,
                FieldChanges(from: known.definition.fields, to: new.fields))
            return try recording.record(of: pinSet)
        }
    }

    package func removePinSet(_ id: PinSetID, _ change: Change) async throws {
        try await manage(change) { recording in
            let known = try recording.managed(id, change)
            try recording.remove(id)
            recording.policy.pinSets.removeAll { $0.id == id }
            try recording.judge(concernedBy: [known.definition])
            try recording.note(change, .pinSetDelete, known.audited)
        }
    }
}

extension Recording {
    /// Adds a pin set, or puts it in the place of what the API made under its identity.
    fileprivate mutating func take(
        _ definition: PinSetDefinition, replacing: Bool, _ change: Change
    ) throws -> PinSet {
        guard let stored = try database.stored(definition.identity), !stored.removed else {
            let pinSet = try put(definition, over: nil)
            try note(change, .pinSetCreate, pinSet.audited, FieldChanges(from: nil, to: pinSet.definition.fields))
            return pinSet
        }
        guard replacing else { throw ChangeRefusal.exists(id: stored.id.text) }
        let known = try managed(stored.id, change)
        let pinSet = try put(definition, over: known)
        try note(
            change, .pinSetUpdate, pinSet.audited,
            FieldChanges(from: known.definition.fields, to: pinSet.definition.fields))
        return pinSet
    }

    /// Stores a pin set, puts it in force, and has what it and the one before it concern judged again.
    fileprivate mutating func put(_ definition: PinSetDefinition, over known: PinSet?) throws(StoreError) -> PinSet {
        let definition = definition.kept(by: .api)
        let pinSet = try keep(definition)
        if let index = policy.pinSets.firstIndex(where: { $0.id == pinSet.id }) {
            policy.pinSets[index] = pinSet
        } else {
            policy.pinSets.append(pinSet)
        }
        try database.schedule(.pinSet(pinSet.id), at: now)
        try judge(concernedBy: [definition] + [known?.definition].compactMap { $0 })
        return pinSet
    }

    /// Has the hosts judged again of which some pin sets may say anything.
    fileprivate func judge(concernedBy definitions: [PinSetDefinition]) throws(StoreError) {
        var hosts: Set<String> = []
        for row in try database.rows(
            """
            SELECT DISTINCT target.host, target.sni
            FROM target_standing standing JOIN target ON target.id = standing.target_id
            """)
        {
            let (host, sni) = (try row.text(0), try row.text(1))
            guard !hosts.contains(host) else { continue }
            if definitions.contains(where: { $0.concerns(host: sni.isEmpty ? host : sni) }) { hosts.insert(host) }
        }
        for host in hosts.sorted() { try database.schedule(.host(host), at: now) }
    }

    /// A pin set that is there and may be changed so.
    fileprivate func managed(_ id: PinSetID, _ change: Change) throws -> PinSet {
        let found = try database.row(
            "SELECT revision, managed_by FROM pin_set WHERE id = :id AND removed_at IS NULL",
            [("id", .integer(id.rawValue))])
        guard let row = found, let pinSet = policy.pinSets.first(where: { $0.id == id }) else {
            throw ChangeRefusal.unknown
        }
        try change.check(try row.word(1), revision: try row.integer(0))
        return pinSet
    }

    fileprivate func record(of pinSet: PinSet) throws -> PinSetRecord {
        guard let record = try database.pinSetRecord(pinSet) else { throw ChangeRefusal.unknown }
        return record
    }
}

extension PinSet {
    fileprivate var audited: AuditObject { AuditObject(type: "pin_set", id: id.text, name: identity.label) }
}

extension PinSetDefinition {
    fileprivate func concerns(host: String) -> Bool { layers.contains { $0.policy.concerns(host: host) } }
}
