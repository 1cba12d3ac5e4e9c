internal import PinwatchCore

/// `findings`: what is wrong now.
enum Findings {
    static func routes(_ context: ServiceContext) -> [Route] {
        let query = ListQuery(filters: [
            "kind": .word(FindingKind.allCases.map(\.rawValue)), "severity": .word(Severity.allCases.map(\.rawValue)),
            "target_id": .id, "pin_set_id": .id, "stale": .flag,
        ])
        return [
            Route(.get, "/api/v1/findings") { call in
                try await context.store.findings(query.request(call)).response(\.json)
            }
        ]
    }
}
