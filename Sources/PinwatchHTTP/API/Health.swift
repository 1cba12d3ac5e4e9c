internal import PinwatchCore

/// `/healthz` and `/readyz`: whether the process answers, and whether it does its work.
enum Health {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/healthz", .readHealth, access: .open) { _ in
                Response(json: .object([("status", .string("ok"))]))
            },
            Route(.get, "/readyz", .readReadiness, access: .open) { _ in
                var reasons: [String] = []
                if let problem = await context.ready() { reasons.append("scanner: " + problem) }
                // Asked of the writer, which has its hands full until the service is up.
                if context.isUp(), let problem = await context.store.writeProblem(now: context.clock()) {
                    reasons.insert("store: " + problem, at: 0)
                }
                let status = reasons.isEmpty ? "ready" : "not_ready"
                return Response(
                    status: reasons.isEmpty ? 200 : 503,
                    json: .object([("status", .string(status)), ("reasons", .strings(reasons))]))
            },
        ]
    }
}
