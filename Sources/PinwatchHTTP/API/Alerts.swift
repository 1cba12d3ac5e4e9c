internal import PinwatchCore

/// `alerts` and `alerts/{id}`, the latter with its finding as it is or last was.
enum Alerts {
    static func routes(_ context: ServiceContext) -> [Route] {
        let query = ListQuery(filters: [
            "state": .word(AlertState.allCases.map(\.rawValue)), "severity": .word(Severity.allCases.map(\.rawValue)),
            "kind": .word(FindingKind.allCases.map(\.rawValue)),
        ])
        return [
            Route(.get, "/api/v1/alerts") { call in
                try await context.store.alerts(query.request(call)).response(\.json)
            },
            Route(.get, "/api/v1/alerts/{id}") { call in
                try ListQuery.none(call)
                guard let id = Identifier.number(call.parameter("id")),
                    let record = try await context.store.alert(AlertID(id))
                else { throw Problem(404, "There is no alert with this id; /api/v1/alerts lists them.") }
                return Response(json: record.json)
            },
        ]
    }
}
