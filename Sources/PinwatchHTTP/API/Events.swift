internal import PinwatchCore

/// `events`: what happened, newest first.
enum Events {
    private static let query = ListQuery(filters: [
        "kind": .word(EventKind.allCases.map(\.rawValue)), "target_id": .id, "quiet": .flag,
        "class": .word(KeyChangeClass.allCases.map(\.rawValue)),
    ])

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/events", .listEvents(query)) { call in
                try await context.store.events(query.request(call)).response(\.json)
            },
            Route(.get, "/api/v1/events/{id}", .readEvent) { call in
                let id = try Noun.event.number(in: call)
                return Response(json: try Noun.event.found(try await context.managing.event(id)).json)
            },
        ]
    }
}
