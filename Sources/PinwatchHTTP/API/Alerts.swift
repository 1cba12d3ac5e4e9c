internal import PinwatchCore

/// `alerts` and `alerts/{id}`, the latter with its finding as it is or last was; and that somebody knows of one.
enum Alerts {
    private static let query = ListQuery(filters: [
        "state": .word(AlertState.allCases.map(\.rawValue)), "severity": .word(Severity.allCases.map(\.rawValue)),
        "kind": .word(FindingKind.allCases.map(\.rawValue)), "target_id": .id,
    ])
    private static let note = Member("note", Kind.text(0...1_000), orNull: true, "What is done about it, for others.")
    static let acknowledgement = BodyShape().taking(note)

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/alerts", .listAlerts(query)) { call in
                try await context.store.alerts(query.request(call)).response(\.json)
            },
            Route(.get, "/api/v1/alerts/{id}", .readAlert) { call in
                let id = AlertID(try Noun.alert.number(in: call))
                return Response(json: try Noun.alert.found(try await context.store.alert(id)).json)
            },
            Route(
                .post, "/api/v1/alerts/{id}/acknowledge", .acknowledgeAlert, access: .role(.editor), body: .json
            ) { call in
                let note = try call.read(acknowledgement, empty: .object([])) { $0.given(Self.note, &$1) }
                let id = AlertID(try Noun.alert.number(in: call))
                let record = try await context.change(.alert, call) {
                    try await $0.acknowledge(id, note: note.value, $1)
                }
                return Response(json: record.json)
            },
            Route(
                .delete, "/api/v1/alerts/{id}/acknowledge", .unacknowledgeAlert, access: .role(.editor)
            ) { call in
                let id = AlertID(try Noun.alert.number(in: call))
                let record = try await context.change(.alert, call) { try await $0.unacknowledge(id, $1) }
                return Response(json: record.json)
            },
        ]
    }
}
