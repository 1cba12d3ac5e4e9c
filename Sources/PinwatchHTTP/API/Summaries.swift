internal import PinwatchCore

/// `summary`: what the overview opens with.
enum Summaries {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/summary", .readSummary) { _ in
                let now = context.clock()
                return Response(json: try await context.store.summary(now: now).json(now: now))
            }
        ]
    }
}
