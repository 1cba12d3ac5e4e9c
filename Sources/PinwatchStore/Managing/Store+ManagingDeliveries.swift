package import PinwatchCore

extension Store {
    package func delivery(_ id: Int64) async throws -> Delivery? {
        try await read { database in try database.delivery(id) }
    }

    /// Older pending messages about the same alert to the same channel are asked for with it, so that it need not wait
    /// for them, and no change of the alert arrives before an earlier one.
    package func retryDelivery(_ id: Int64, _ change: Change) async throws -> Delivery {
        try await manage(change) { recording in
            guard let known = try recording.database.delivery(id) else { throw ChangeRefusal.unknown }
            switch known.state {
            case .pending, .dead: break
            case .delivered: throw ChangeRefusal.conflict("the delivery has arrived: there is nothing to try again")
            case .dropped:
                throw ChangeRefusal.conflict("the delivery's channel is gone: there is nowhere to send it")
            }
            guard try recording.database.storedChannel(known.channel) != nil else {
                throw ChangeRefusal.conflict("there is no channel `\(known.channel)` any longer")
            }
            try recording.ask(for: id)
            try recording.note(
                change, .deliveryRetry,
                AuditObject(type: "delivery", id: String(id), name: "\(known.type) to \(known.channel)"),
                FieldChanges(
                    from: [("state", .string(known.state.rawValue))],
                    to: [("state", .string(DeliveryState.pending.rawValue))]))
            guard let asked = try recording.database.delivery(id) else { throw ChangeRefusal.unknown }
            return asked
        }
    }

    package func event(_ id: Int64) async throws -> EventRecord? {
        try await read { database in
            let found = try database.row(
                "SELECT id, \(Event.columns) FROM event WHERE id = :id", [("id", .integer(id))])
            guard let row = found else { return nil }
            return try EventRecord(row: row)
        }
    }

    package func events(after id: Int64, limit: Int) async throws -> [EventRecord] {
        try await read { database in
            try database.rows(
                "SELECT id, \(Event.columns) FROM event WHERE id > :id ORDER BY id LIMIT :limit",
                [("id", .integer(id)), ("limit", .integer(Int64(limit)))]
            ).map { try EventRecord(row: $0) }
        }
    }

    package func lastEventID() async throws -> Int64 {
        try await read { database in try database.number("SELECT coalesce(max(id), 0) FROM event") }
    }
}

extension Recording {
    fileprivate mutating func ask(for id: Int64) throws(StoreError) {
        let values: Values = [("id", .integer(id)), ("now", .at(now))]
        try database.run(
            """
            UPDATE delivery SET state = 'pending', next_attempt_at = :now, retried_at = :now, asked = 1 WHERE id = :id
            """, values)
        try database.run(
            """
            UPDATE delivery SET next_attempt_at = :now, retried_at = :now, asked = 1
            WHERE state = 'pending' AND id < :id
              AND channel = (SELECT channel FROM delivery asked WHERE asked.id = :id)
              AND id IN (SELECT before.delivery_id FROM delivery_alert told
                JOIN delivery_alert before ON before.alert_id = told.alert_id WHERE told.delivery_id = :id)
            """, values)
        commit.owed += 1
        commit.topics.insert(.deliveries)
    }
}

extension Database {
    fileprivate func delivery(_ id: Int64) throws(StoreError) -> Delivery? {
        try deliveries("WHERE id = :id", [("id", .integer(id))]).first
    }
}
