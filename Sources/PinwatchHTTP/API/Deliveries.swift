internal import PinwatchCore

/// `deliveries`: messages on their way, and what became of them.
enum Deliveries {
    private static let query = ListQuery(filters: [
        "state": .word(DeliveryState.allCases.map(\.rawValue)), "channel": .text, "alert_id": .id, "type": .text,
    ])

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/deliveries", .listDeliveries(query)) { call in
                try await context.store.deliveries(query.request(call)).response(\.json)
            },
            Route(.get, "/api/v1/deliveries/{id}", .readDelivery) { call in
                let id = try Noun.delivery.number(in: call)
                return Response(
                    json: try Noun.delivery.found(try await context.managing.delivery(id)).jsonWithMessage)
            },
            Route(.post, "/api/v1/deliveries/{id}/retry", .retryDelivery, access: .role(.editor)) { call in
                let id = try Noun.delivery.number(in: call)
                let delivery = try await context.change(.delivery, call) { try await $0.retryDelivery(id, $1) }
                return Response(status: 202, json: delivery.json)
            },
        ]
    }
}
