package import PinwatchCore

extension Store {
    package func deliveries(_ request: PageRequest) async throws -> Page<Delivery> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["state", "channel", "alert_id", "type"])
            var listing = Listing(
                "deliveries", columns: Delivery.columns, source: "delivery", keys: ["id"], descending: true)
            if let states = try request.words("state", DeliveryState.self) {
                listing.add("state", among: states.map { .text($0.rawValue) })
            }
            if let channels = request.texts("channel") { listing.add("channel", among: channels) }
            if let alerts = try request.numbers("alert_id") {
                let list = NamedList("alert", alerts)
                listing.add(
                    "id IN (SELECT delivery_id FROM delivery_alert WHERE alert_id IN \(list.sql))", list.values)
            }
            if let types = request.texts("type") { listing.add("type", among: types) }
            return try listing.page(request, from: database) { row in
                var delivery = try Delivery(row: row)
                delivery.attempts = try database.attempts(of: delivery.id)
                return delivery
            }
        }
    }

    package func queueDepths() async throws -> [(name: String, count: Int)] {
        try await read { database in
            var depths = [(name: "outbox", count: Int(try database.number("SELECT count(*) FROM outbox")))]
            for state in DeliveryState.allCases {
                let count = try database.number(
                    "SELECT count(*) FROM delivery WHERE state = :state", [("state", .text(state.rawValue))])
                depths.append((state.rawValue, Int(count)))
            }
            return depths
        }
    }

    package func writeProblem(now: Instant) async -> String? { await writer.writeProblem(now: now) }
}
