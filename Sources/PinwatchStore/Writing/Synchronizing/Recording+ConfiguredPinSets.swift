package import PinwatchCore

/// Reads the stored text of a pin set that came by the API.
package typealias PinSetReader = @Sendable (_ source: String) throws(TextFaults) -> PinSetDefinition

extension Recording {
    /// Adds, changes and removes the pin sets that the configuration file manages, and puts them and those that came by
    /// the API in force. One that came by the API and stands in the file too is the file's from then on.
    ///
    /// - Throws: ``StoreError/unreadablePinSet(id:label:why:)``.
    mutating func synchronize(
        pinSets wanted: [PinSetDefinition], read: PinSetReader
    ) throws(StoreError) {
        var pinSets: [PinSet] = []
        var stored = try storedPinSets()
        for definition in wanted {
            let known = stored.removeValue(forKey: definition.identity)
            if let known, !known.removed, known.values == definition.values.map(\.value) {
                pinSets.append(PinSet(id: known.id, definition: definition, revision: known.revision))
                continue
            }
            pinSets.append(try keep(definition))
        }
        for (identity, known) in stored.sorted(by: { $0.value.id < $1.value.id }) where !known.removed {
            switch known.managedBy {
            case .config: try remove(known.id)
            case .api: pinSets.append(try known.read(identity, by: read))
            }
        }
        policy.pinSets = pinSets
    }

    private struct StoredPinSet {
        let id: PinSetID
        let values: [Value]
        let removed: Bool
        let managedBy: ManagedBy
        let source: String
        let origin: String
        let revision: Int64

        func read(_ identity: PinSetIdentity, by read: PinSetReader) throws(StoreError) -> PinSet {
            let text: PinSetDefinition
            do {
                text = try read(source)
            } catch {
                let why = error.problems.first.map { $0.message } ?? "no reason given"
                throw .unreadablePinSet(id: id.rawValue, label: identity.label, why: why)
            }
            return PinSet(
                id: id,
                definition: text.kept(by: .api, source: source, origin: origin), revision: revision)
        }
    }

    private func storedPinSets() throws(StoreError) -> [PinSetIdentity: StoredPinSet] {
        var stored: [PinSetIdentity: StoredPinSet] = [:]
        for row in try database.rows(
            """
            SELECT app, release, variant, stack, id, removed_at, share, trust_store, source, files, origin, managed_by,
              revision
            FROM pin_set
            """)
        {
            stored[try PinSetIdentity(row: row, at: 0)] = StoredPinSet(
                id: PinSetID(try row.integer(4)), values: Array(row.values[6..<12]),
                removed: try row.instantOrNil(5) != nil, managedBy: try row.word(11), source: try row.text(8),
                origin: try row.text(10), revision: try row.integer(12))
        }
        return stored
    }
}
