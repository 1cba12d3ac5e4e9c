internal import PinwatchCore

/// `summary`: what the overview opens with.
enum Summaries {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/summary") { call in
                try ListQuery.none(call)
                let now = context.clock()
                return Response(json: try await context.store.summary(now: now).json(now: now))
            }
        ]
    }
}
