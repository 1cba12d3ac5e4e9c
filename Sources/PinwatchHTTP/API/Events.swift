internal import PinwatchCore

/// `events`: what happened, newest first.
enum Events {
    static func routes(_ context: ServiceContext) -> [Route] {
        let query = ListQuery(filters: [
            "kind": .word(EventKind.allCases.map(\.rawValue)), "target_id": .id, "quiet": .flag,
        ])
        return [
            Route(.get, "/api/v1/events") { call in
                try await context.store.events(query.request(call)).response(\.json)
            }
        ]
    }
}
