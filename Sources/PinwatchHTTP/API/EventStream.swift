internal import PinwatchCore

/// `events/stream`: what happens, as it happens (Server-Sent Events, HTML Living Standard section 9.2).
enum EventStream {
    static func route(_ context: ServiceContext, _ authentication: Authentication) -> Route {
        Route(.get, "/api/v1/events/stream", produces: "text/event-stream") { call in
            guard let store = context.managing else {
                throw Problem(503, "There is no stream of events here.")
            }
            let (after, isReturning) = try cursor(call)
            // A database that was set back has fewer events than the reader has seen.
            var known = after
            if let after { known = min(after, try await store.lastEventID()) }
            let source = EventReader.Source(
                hub: context.hub, events: { try await store.events(after: $0, limit: $1) },
                isAllowed: { try await authentication.isAllowed(call.request, for: .viewer) },
                failed: { _ = context.report($0, by: call.request) })
            var response = Response(type: "text/event-stream", body: [])
            response.stream = try EventReader(source, after: known, isReturning: isReturning)
            // Proxies of nginx' kind gather answers unless they are told not to.
            return response.adding([.init("X-Accel-Buffering", "no")])
        }
    }

    /// The newest event that the reader has, and whether a browser says so by itself when it comes back.
    private static func cursor(_ call: Call) throws(Problem) -> (after: Int64?, isReturning: Bool) {
        let fields = call.target.query
        let wrong = fields.filter { $0.name != "after" }.map {
            Problem.FieldError(
                field: String($0.name.prefix(64)), message: "is no field of the stream, which takes after")
        }
        guard wrong.isEmpty else { throw Problem(400, "The stream's query cannot be used; see errors.", errors: wrong) }
        if let text = call.request.values(of: "last-event-id").last { return (try id(text, "Last-Event-ID"), true) }
        guard let field = fields.first else { return (nil, false) }
        guard fields.count == 1 else {
            throw Problem(
                400, "The stream's query cannot be used; see errors.",
                errors: [.init(field: "after", message: "is given twice")])
        }
        return (try id(field.value, "after"), false)
    }

    private static func id(_ text: String, _ field: String) throws(Problem) -> Int64 {
        guard text != "0" else { return 0 }
        guard let id = Identifier.number(text) else {
            throw Problem(
                400, "The stream cannot begin there; see errors.",
                errors: [.init(field: field, message: "must be the id of an event, or 0 for all")])
        }
        return id
    }
}
