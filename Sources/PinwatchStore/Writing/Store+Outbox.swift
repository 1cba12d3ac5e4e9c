package import PinwatchCore

extension Store: OutboxStore {
    package func dueItems(channels: [String], now: Instant, limit: Int) async throws -> [OutboxItem] {
        try await writer.dueItems(channels: channels, now: now, limit: limit)
    }

    package func compose(_ messages: [ComposedMessage]) async throws {
        try await writer.compose(messages)
    }

    package func dueDeliveries(channel: String, now: Instant, limit: Int) async throws -> [Delivery] {
        try await writer.dueDeliveries(channel: channel, now: now, limit: limit)
    }

    package func record(
        _ attempt: Attempt, of delivery: Int64, result: AttemptResult, now: Instant
    ) async throws {
        try await writer.record(attempt, of: delivery, result: result, now: now)
    }

    package func nextDue(channels: [String]) async throws -> Instant? {
        try await writer.nextDue(channels: channels)
    }
}

extension Writer {
    func dueItems(channels: [String], now: Instant, limit: Int) throws(StoreError) -> [OutboxItem] {
        guard !channels.isEmpty else { return [] }
        let list = NamedList("channel", channels.map { .text($0) })
        return try look { database throws(StoreError) in
            var items: [OutboxItem] = []
            for row in try database.rows(
                """
                SELECT \(OutboxItem.columns) FROM outbox
                WHERE channel IN \(list.sql) AND (hold_until_at <= :now OR at > :now) AND NOT EXISTS (
                  SELECT 1 FROM outbox older WHERE older.alert_id = outbox.alert_id
                    AND older.channel = outbox.channel AND older.id < outbox.id
                    AND older.hold_until_at > :now AND older.at <= :now)
                ORDER BY id LIMIT :limit
                """, list.values + [("now", .at(now)), ("limit", .integer(Int64(limit)))])
            {
                items.append(try OutboxItem(row: row))
            }
            return items
        }
    }

    func compose(_ messages: [ComposedMessage]) throws(StoreError) {
        try perform(.sending) { () throws(StoreError) in
            try transaction { database throws(StoreError) in
                options.checkpoint("store.compose.after_begin")
                for message in messages { try compose(message, in: database) }
                options.checkpoint("store.compose.before_commit")
            }
        }
        options.checkpoint("store.compose.after_commit")
        tell([.deliveries])
    }

    /// Takes the items and stores what tells them; with an item missing, everything stays as it is.
    private func compose(_ message: ComposedMessage, in database: any Database) throws(StoreError) {
        let list = NamedList("item", message.items.map { .integer($0) })
        if !message.items.isEmpty {
            let waiting = try database.number("SELECT count(*) FROM outbox WHERE id IN \(list.sql)", list.values)
            guard waiting == Int64(Set(message.items).count) else { return }
        }
        let disabled = try database.row(
            "SELECT 1 FROM channel_state WHERE name = :channel AND disabled_at IS NOT NULL",
            [("channel", .text(message.channel))])
        let state: DeliveryState = disabled == nil ? .pending : .dead
        let delivery = try database.number(
            """
            INSERT INTO delivery (message_id, type, channel, alert_id, state, next_attempt_at, created_at, body)
            VALUES (:message, :type, :channel, :alert, :state, :next, :created, :body) RETURNING id
            """,
            [
                ("message", .text(message.messageID)), ("type", .text(message.type)),
                ("channel", .text(message.channel)), ("alert", .optional(message.alertID?.rawValue)),
                ("state", .text(state.rawValue)),
                ("next", state == .pending ? .at(message.createdAt) : .null), ("created", .at(message.createdAt)),
                ("body", .blob(message.body)),
            ])
        options.checkpoint("store.compose.after_delivery")
        guard !message.items.isEmpty else { return }
        try database.run(
            """
            INSERT INTO delivery_alert (delivery_id, alert_id)
            SELECT DISTINCT :delivery, alert_id FROM outbox WHERE id IN \(list.sql) AND alert_id IS NOT NULL
            """, list.values + [("delivery", .integer(delivery))])
        options.checkpoint("store.compose.after_told")
        try database.run("DELETE FROM outbox WHERE id IN \(list.sql)", list.values)
    }

    /// That no older message of the channel which tells one of the delivery's alerts is still being tried, so that no
    /// alert ends or worsens before it began. The cross joins keep SQLite from starting at all that is pending.
    private static let isNext = """
        NOT EXISTS (
          SELECT 1 FROM delivery_alert told CROSS JOIN delivery_alert before CROSS JOIN delivery older
          WHERE told.delivery_id = delivery.id
            AND before.alert_id = told.alert_id AND before.delivery_id < told.delivery_id
            AND older.id = before.delivery_id AND older.state = 'pending' AND older.channel = delivery.channel)
        """

    /// That it waits by a clock that was set back since: the last thing that happened to it lies ahead.
    private static let isFromAhead = """
        :now < coalesce(
          (SELECT at FROM attempt WHERE delivery_id = delivery.id ORDER BY id DESC LIMIT 1), created_at)
        """

    func dueDeliveries(channel: String, now: Instant, limit: Int) throws(StoreError) -> [Delivery] {
        let values: Values = [("channel", .text(channel)), ("limit", .integer(Int64(limit)))]
        return try look { database throws(StoreError) in
            let asked = try database.deliveries(
                """
                WHERE channel = :channel AND state = 'pending' AND asked = 1 AND \(Self.isNext) ORDER BY id LIMIT :limit
                """, values)
            if !asked.isEmpty { return asked }
            return try database.deliveries(
                """
                WHERE channel = :channel AND state = 'pending'
                  AND (next_attempt_at <= :now OR \(Self.isFromAhead)) AND \(Self.isNext)
                ORDER BY next_attempt_at, id LIMIT :limit
                """, values + [("now", .at(now))])
        }
    }

    func nextDue(channels: [String]) throws(StoreError) -> Instant? {
        guard !channels.isEmpty else { return nil }
        let list = NamedList("channel", channels.map { .text($0) })
        return try look { database throws(StoreError) in
            // An item behind an older one of its alert becomes due with that one.
            let item = try database.row(
                """
                SELECT min(hold_until_at) FROM outbox WHERE channel IN \(list.sql) AND NOT EXISTS (
                  SELECT 1 FROM outbox older WHERE older.alert_id = outbox.alert_id
                    AND older.channel = outbox.channel AND older.id < outbox.id
                    AND older.hold_until_at > outbox.hold_until_at)
                """, list.values)?.instantOrNil(0)
            var due = [item].compactMap { $0 }
            for channel in list.values {
                // One that waits for an older one becomes due when that is settled, at whose try the courier looks again.
                let delivery = try database.row(
                    """
                    SELECT next_attempt_at FROM delivery
                    WHERE channel = :channel AND state = 'pending' AND \(Self.isNext)
                    ORDER BY next_attempt_at, id LIMIT 1
                    """, [("channel", channel.value)])?.instant(0)
                if let delivery { due.append(delivery) }
            }
            return due.min()
        }
    }
}
