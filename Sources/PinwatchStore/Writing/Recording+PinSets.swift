internal import PinwatchCore

extension Recording {
    /// Adds, changes and removes the pin sets that the configuration file manages.
    ///
    /// - Returns: The configured pin sets with their numbers, and whether any of them came, changed or went.
    func synchronize(pinSets wanted: [PinSetDefinition]) throws(StoreError) -> ([PinSet], changed: Bool) {
        var stored: [PinSetIdentity: (id: PinSetID, values: [Value], removed: Bool)] = [:]
        for row in try database.rows(
            """
            SELECT app, release, variant, stack, id, removed_at, share, trust_store, source, files, origin, managed_by
            FROM pin_set
            """)
        {
            let identity = PinSetIdentity(
                app: try row.text(0), release: try row.text(1), variant: try row.word(2), stack: try row.text(3))
            stored[identity] = (
                PinSetID(try row.integer(4)), Array(row.values[6...]), try row.instantOrNil(5) != nil
            )
        }
        var pinSets: [PinSet] = []
        var changed = false
        for definition in wanted {
            let known = stored.removeValue(forKey: definition.identity)
            let values = definition.values
            if let known, !known.removed, known.values == values.map(\.value) {
                pinSets.append(PinSet(id: known.id, definition: definition))
            } else {
                pinSets.append(PinSet(id: try keep(definition, values), definition: definition))
                changed = true
            }
        }
        for (id, values, removed) in stored.values
        where !removed && values.last == .text(ManagedBy.config.rawValue) {
            try remove(id)
            changed = true
        }
        return (pinSets, changed)
    }

    private func keep(_ definition: PinSetDefinition, _ values: Values) throws(StoreError) -> PinSetID {
        PinSetID(
            try database.number(
                """
                INSERT INTO pin_set (app, release, variant, stack, share, trust_store, source, files, origin,
                  managed_by)
                VALUES (:app, :release, :variant, :stack, :share, :trust_store, :source, :files, :origin, :managed_by)
                ON CONFLICT (app, release, variant, stack) DO UPDATE SET share = excluded.share,
                  trust_store = excluded.trust_store, source = excluded.source, files = excluded.files,
                  origin = excluded.origin, managed_by = excluded.managed_by, removed_at = NULL
                RETURNING id
                """,
                values + [
                    ("app", .text(definition.identity.app)), ("release", .text(definition.identity.release)),
                    ("variant", .text(definition.identity.variant.rawValue)),
                    ("stack", .text(definition.identity.stack)),
                ]))
    }

    /// Its verdicts go now, its findings when its hosts are judged.
    private func remove(_ id: PinSetID) throws(StoreError) {
        let values: Values = [("id", .integer(id.rawValue))]
        try database.run("UPDATE pin_set SET removed_at = :now WHERE id = :id", values + [("now", .at(now))])
        try database.run("DELETE FROM verdict WHERE pin_set_id = :id", values)
        try database.run("DELETE FROM verdict_accepted WHERE pin_set_id = :id", values)
        try database.run("DELETE FROM upcoming WHERE pin_set_id = :id", values)
        try database.schedule(.pinSet(id), at: now)
    }
}

extension PinSetDefinition {
    /// The columns whose difference makes a pin set a changed one.
    fileprivate var values: Values {
        [
            ("share", share.map { .real($0) } ?? .null), ("trust_store", .optional(trustStore)),
            ("source", .text(source)), ("files", .text(files)), ("origin", .text(origin)),
            ("managed_by", .text(managedBy.rawValue)),
        ]
    }

    /// What the files held that pins name, by their hashes: they may change while the text stays.
    private var files: String {
        let held = layers.flatMap(\.policy.allPins).compactMap { pin -> JSON? in
            switch pin {
            case .spki, .spkiSHA1, .certificate: nil
            case .file(let path, .certificate(let certificate, let isDER)):
                .object([
                    ("path", .string(path)), ("certificate", .string(certificate.fingerprint.hex)),
                    ("der", .bool(isDER)),
                ])
            case .file(let path, .publicKey(let spki)):
                .object([("path", .string(path)), ("spki", .string(spki.hex))])
            }
        }
        return JSON.array(held).text
    }
}
