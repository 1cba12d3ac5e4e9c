internal import PinwatchCore

/// `summary`: what the overview opens with.
enum Summaries {
    static func routes(_ context: ServiceContext) -> [Route] {
        let shared = SharedAnswers()
        return [
            Route(.get, "/api/v1/summary", .readSummary) { call in
                try await shared.answer(call, version: context.store.version) {
                    let summary = try await context.store.summary(now: call.now)
                    return Response(json: summary.json(now: call.now, load: context.scannerLoad()))
                }
            }
        ]
    }
}
