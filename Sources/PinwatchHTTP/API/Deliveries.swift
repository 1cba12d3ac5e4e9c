internal import PinwatchCore

/// `deliveries`: messages on their way, and what became of them.
enum Deliveries {
    static func routes(_ context: ServiceContext) -> [Route] {
        let query = ListQuery(filters: [
            "state": .word(DeliveryState.allCases.map(\.rawValue)), "channel": .text, "alert_id": .id, "type": .text,
        ])
        return [
            Route(.get, "/api/v1/deliveries") { call in
                try await context.store.deliveries(query.request(call)).response(\.json)
            }
        ]
    }
}
