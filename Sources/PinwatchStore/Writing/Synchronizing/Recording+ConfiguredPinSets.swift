package import PinwatchCore

/// Reads the stored text of a pin set that came by the API.
package typealias PinSetReader = @Sendable (_ source: String) throws(TextFaults) -> PinSetDefinition

extension Recording {
    /// Adds, changes and removes the pin sets that the configuration file manages, and puts them and those that came by
    /// the API in force. One that came by the API and stands in the file too is the file's from then on.
    /// The text of one that came by the API may be none any more to this version: it is kept, and judges nothing.
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
            // What the API was handed is not what the file says.
            if let known { try database.removeOriginals(of: known.id) }
        }
        for (identity, known) in stored.sorted(by: { $0.value.id < $1.value.id }) where !known.removed {
            switch known.managedBy {
            case .config: try remove(known.id)
            case .api: pinSets.append(known.read(identity, by: read))
            }
        }
        policy.pinSets = pinSets
    }

    private struct StoredPinSet {
        let id: PinSetID
        let values: [Value]
        let removed: Bool
        let managedBy: ManagedBy
        let share: Double?
        let trustStore: String?
        let source: String
        let origin: String
        let revision: Int64

        func read(_ identity: PinSetIdentity, by read: PinSetReader) -> PinSet {
            let definition: PinSetDefinition
            do {
                definition = try read(source).kept(by: .api, source: source, origin: origin)
            } catch {
                definition = .unreadable(
                    identity, share: share, trustStore: trustStore, source: source, origin: origin,
                    reason: error.problems.first?.message ?? "no reason is given")
            }
            return PinSet(id: id, definition: definition, revision: revision)
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
                removed: try row.instantOrNil(5) != nil, managedBy: try row.word(11), share: try row.realOrNil(6),
                trustStore: try row.textOrNil(7), source: try row.text(8), origin: try row.text(10),
                revision: try row.integer(12))
        }
        return stored
    }
}
