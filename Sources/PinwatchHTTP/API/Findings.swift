internal import PinwatchCore

/// `findings`: what is wrong now.
enum Findings {
    private static let query = ListQuery(filters: [
        "kind": .word(FindingKind.allCases.map(\.rawValue)), "severity": .word(Severity.allCases.map(\.rawValue)),
        "target_id": .id, "pin_set_id": .id, "stale": .flag,
    ])

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/findings", .listFindings(query)) { call in
                try await context.store.findings(query.request(call)).response(\.json)
            }
        ]
    }
}
