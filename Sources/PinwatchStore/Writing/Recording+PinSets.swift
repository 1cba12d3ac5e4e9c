internal import PinwatchCore

extension Recording {
    /// Stores a pin set under its identity: as a new one, in place of the one that is there, or as the removed one that
    /// comes back. The policy and what is to be judged again are the caller's.
    mutating func keep(_ definition: PinSetDefinition) throws(StoreError) -> PinSet {
        commit.define(.pinSets)
        let kept = try database.row(
            """
            INSERT INTO pin_set (app, release, variant, stack, share, trust_store, source, files, origin,
              managed_by, created_at, updated_at)
            VALUES (:app, :release, :variant, :stack, :share, :trust_store, :source, :files, :origin, :managed_by,
              :now, :now)
            ON CONFLICT (app, release, variant, stack) DO UPDATE SET share = excluded.share,
              trust_store = excluded.trust_store, source = excluded.source, files = excluded.files,
              origin = excluded.origin, managed_by = excluded.managed_by, removed_at = NULL,
              revision = pin_set.revision + 1, updated_at = excluded.updated_at
            RETURNING id, revision
            """,
            definition.values + [
                ("app", .text(definition.identity.app)), ("release", .text(definition.identity.release)),
                ("variant", .text(definition.identity.variant.rawValue)),
                ("stack", .text(definition.identity.stack)), ("now", .at(now)),
            ])
        guard let row = kept else { throw .unreadableRow(column: 0, why: "no row came back") }
        return PinSet(id: PinSetID(try row.integer(0)), definition: definition, revision: try row.integer(1))
    }

    /// Its verdicts go now, its findings when its scope and its hosts are judged.
    mutating func remove(_ id: PinSetID) throws(StoreError) {
        let values: Values = [("id", .integer(id.rawValue))]
        try database.run(
            "UPDATE pin_set SET removed_at = :now, updated_at = :now, revision = revision + 1 WHERE id = :id",
            values + [("now", .at(now))])
        try database.run("DELETE FROM verdict WHERE pin_set_id = :id", values)
        try database.run("DELETE FROM verdict_accepted WHERE pin_set_id = :id", values)
        try database.run("DELETE FROM upcoming WHERE pin_set_id = :id", values)
        try database.removeOriginals(of: id)
        try database.schedule(.pinSet(id), at: now)
        commit.define(.pinSets)
    }
}

extension PinSetDefinition {
    /// The columns whose difference makes a pin set a changed one.
    var values: Values {
        [
            ("share", share.map { .real($0) } ?? .null), ("trust_store", .optional(trustStore)),
            ("source", .text(source)), ("files", .text(files)), ("origin", .text(origin)),
            ("managed_by", .text(managedBy.rawValue)),
        ]
    }

    /// What the files held that pins name, by their hashes, and those that policies name: they may change while the text
    /// stays.
    private var files: String {
        let read = layers.flatMap(\.policy.readTexts).map { file in
            JSON.object([("path", .string(file.path)), ("text", .string(file.text))])
        }
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
        return JSON.array(held + read).text
    }
}
