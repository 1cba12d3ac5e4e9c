internal import PinwatchCore

extension Store {
    /// The trust stores that pin sets in force name for themselves, beside their targets'.
    package func ownTrustStores() async -> Set<String> {
        await Set(writer.policy.pinSets.compactMap(\.definition.trustStore))
    }

    /// The trust stores that targets and pin sets made by the API name, each with one that names it, in words.
    package func trustStoresOfAPI() async throws -> [String: String] {
        try await read { database in
            var named: [String: String] = [:]
            for row in try database.rows(
                """
                SELECT trust_store, min(host) FROM target
                WHERE removed_at IS NULL AND managed_by = 'api' GROUP BY trust_store
                """)
            { named[try row.text(0)] = "target \(try row.text(1))" }
            for row in try database.rows(
                """
                SELECT trust_store, min(app), min(release) FROM pin_set
                WHERE removed_at IS NULL AND managed_by = 'api' AND trust_store IS NOT NULL GROUP BY trust_store
                """)
            { named[try row.text(0)] = "pin set \(try row.text(1)) \(try row.text(2))" }
            return named
        }
    }
}
