internal import PinwatchCore

extension Writer {
    /// Attempts kept of one delivery.
    private static let keptAttempts: Int64 = 50

    func record(
        _ attempt: Attempt, of delivery: Int64, result: AttemptResult, now: Instant
    ) throws(StoreError) {
        try transaction { database throws(StoreError) in
            let id: Values = [("delivery", .integer(delivery))]
            options.checkpoint("store.attempt.after_begin")
            let found = try database.row("SELECT channel FROM delivery WHERE id = :delivery", id)
            guard let channel = try found?.text(0) else { return }
            try database.run(
                """
                INSERT INTO attempt (delivery_id, at, status, error, duration_ms)
                VALUES (:delivery, :at, :status, :error, :duration)
                """,
                id + [
                    ("at", .at(attempt.at)), ("status", .optional(attempt.status.map { Int64($0) })),
                    ("error", .optional(attempt.error)), ("duration", .integer(attempt.milliseconds)),
                ])
            try database.run(
                """
                DELETE FROM attempt WHERE delivery_id = :delivery AND id NOT IN (
                  SELECT id FROM attempt WHERE delivery_id = :delivery ORDER BY id DESC LIMIT :kept)
                """, id + [("kept", .integer(Self.keptAttempts))])
            options.checkpoint("store.attempt.after_attempt")
            try move(delivery, result, in: database)
            options.checkpoint("store.attempt.after_delivery")
            try settle(channel, attempt, result, in: database, now: now)
            options.checkpoint("store.attempt.before_commit")
        }
        options.checkpoint("store.attempt.after_commit")
        tell([.deliveries, .channels])
    }

    /// Tells of a commit that brought nothing but what may look different.
    func tell(_ topics: Set<Commit.Topic>) {
        var commit = Commit()
        commit.topics = topics
        options.committed(commit)
    }

    private func move(_ delivery: Int64, _ result: AttemptResult, in database: any Database) throws(StoreError) {
        let state: DeliveryState
        var next = Value.null
        switch result {
        case .delivered: state = .delivered
        case .retry(let at): (state, next) = (.pending, .at(at))
        case .dead, .channelGone: state = .dead
        }
        // A delivery that was dropped or given up while this try was under way is not pending again.
        try database.run(
            """
            UPDATE delivery SET state = :state, next_attempt_at = :next, asked = 0
            WHERE id = :delivery AND (state = 'pending' OR :state = 'delivered')
            """, [("delivery", .integer(delivery)), ("state", .text(state.rawValue)), ("next", next)])
    }

    /// Counts the channel's failures, and has it judged when they may matter.
    private func settle(
        _ channel: String, _ attempt: Attempt, _ result: AttemptResult, in database: any Database, now: Instant
    ) throws(StoreError) {
        let name: Values = [("name", .text(channel))]
        switch result {
        case .delivered:
            // One that was disabled and takes what somebody had sent again is not gone after all.
            let recovered = try database.run(
                """
                UPDATE channel_state SET failures = 0, last_error = NULL, disabled_at = NULL
                WHERE name = :name AND (failures > 0 OR disabled_at IS NOT NULL)
                """, name)
            if recovered == 0 { return }
        case .retry, .dead:
            try database.run(
                "UPDATE channel_state SET failures = failures + 1, last_error = :error WHERE name = :name",
                name + [("error", .optional(attempt.error))])
        case .channelGone:
            try database.run(
                """
                UPDATE channel_state SET failures = failures + 1, last_error = :error, disabled_at = :now
                WHERE name = :name
                """, name + [("error", .optional(attempt.error)), ("now", .at(now))])
            try database.run(
                """
                UPDATE delivery SET state = 'dead', next_attempt_at = NULL, asked = 0
                WHERE channel = :name AND state = 'pending'
                """, name)
        }
        try database.schedule(.channel(channel), at: now)
    }
}
