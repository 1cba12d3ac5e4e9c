package import PinwatchCore

extension Store {
    /// Removes what retention no longer wants, a bounded batch of rows a transaction, so that recording gets in
    /// between.
    ///
    /// Spans go by the time they closed, observations, events and the audit trail by age, silences by their end, sessions
    /// as they end, deliveries and resolved alerts by the time
    /// they were settled or opened; what is open, pending or current never goes. Certificates, keys and chains go
    /// with the last span and observation that refer to them, removed targets with their last span, removed pin sets as
    /// long after their removal as spans after their end. A cancelled task leaves off between two batches.
    ///
    /// - Parameter batch: Rows removed in one transaction from each table, at most.
    /// - Parameter each: Called after each transaction.
    /// - Returns: How many rows were removed, dependent ones apart.
    @discardableResult
    package func prune(
        _ retention: Configuration.Retention, now: Instant, batch: Int = 500, each: @Sendable () -> Void = {}
    ) async throws(StoreError) -> Int {
        var removed = 0
        var freed = false
        for step in Pruning.steps(retention, now: now) where !Task.isCancelled {
            let count = try await prune(step, batch: batch, each)
            removed += count
            if count > 0, step.holdsChains { freed = true }
        }
        // Looking for them reads every chain, certificate and key; there are none but after this.
        guard freed else { return removed }
        for step in Pruning.orphans where !Task.isCancelled { removed += try await prune(step, batch: batch, each) }
        return removed
    }

    private func prune(
        _ step: Pruning, batch: Int, _ each: @Sendable () -> Void
    ) async throws(StoreError) -> Int {
        var removed = 0
        var count: Int
        repeat {
            count = try await writer.prune(step, batch: batch)
            removed += count
            each()
        } while count == batch && !Task.isCancelled
        return removed
    }
}

/// One table's rule of what goes.
struct Pruning: Sendable {
    let table: String
    /// Gives the keys of at most `:batch` rows that go.
    let select: String
    let key: String
    let cutoff: Instant?

    static func steps(_ retention: Configuration.Retention, now: Instant) -> [Pruning] {
        let spans = now - retention.spansSeconds
        let events = now - retention.eventsSeconds
        let deliveries = now - retention.deliveriesSeconds
        return [
            Pruning(
                table: "span", select: "SELECT id FROM span WHERE closed_at < :cutoff", key: "id", cutoff: spans),
            Pruning(
                table: "observation",
                select: """
                    SELECT observation.id FROM observation_sighting seen
                    JOIN observation ON observation.id = seen.observation_id
                    WHERE seen.last_at < :cutoff AND observation.current = 0
                    """, key: "id", cutoff: events),
            Pruning(table: "audit", select: "SELECT id FROM audit WHERE at < :cutoff", key: "id", cutoff: events),
            Pruning(
                table: "silence", select: "SELECT id FROM silence WHERE ends_at < :cutoff", key: "id", cutoff: events),
            Pruning(
                table: "session", select: "SELECT sha256 FROM session WHERE expires_at < :cutoff", key: "sha256",
                cutoff: now),
            Pruning(table: "event", select: "SELECT id FROM event WHERE at < :cutoff", key: "id", cutoff: events),
            Pruning(
                table: "delivery",
                select: "SELECT id FROM delivery WHERE created_at < :cutoff AND state <> 'pending'", key: "id",
                cutoff: deliveries),
            Pruning(
                table: "alert",
                select: """
                    SELECT id FROM alert WHERE resolved_at < :cutoff
                      AND NOT EXISTS (SELECT 1 FROM delivery_alert told WHERE told.alert_id = alert.id)
                      AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.alert_id = alert.id)
                    """, key: "id", cutoff: events),
            Pruning(
                table: "target",
                select: """
                    SELECT id FROM target WHERE removed_at < :cutoff
                      AND NOT EXISTS (SELECT 1 FROM span WHERE span.target_id = target.id)
                    """, key: "id", cutoff: spans),
            Pruning(
                table: "pin_set",
                select: """
                    SELECT id FROM pin_set WHERE removed_at < :cutoff
                      AND NOT EXISTS (SELECT 1 FROM finding WHERE finding.pin_set_id = pin_set.id)
                    """, key: "id", cutoff: spans),
            Pruning(
                table: "address_resolution",
                select: """
                    SELECT target_id, address FROM address_resolution WHERE last_resolved_at < :cutoff
                    """, key: "(target_id, address)", cutoff: now - TargetMemory.resolutionSeconds),
        ]
    }

    /// Whether its rows, or those that go with them, refer to chains.
    var holdsChains: Bool { ["span", "observation", "target"].contains(table) }

    static let orphans = [
        Pruning(
            table: "chain",
            select: """
                SELECT id FROM chain WHERE NOT EXISTS (SELECT 1 FROM span WHERE span.chain_id = chain.id)
                  AND NOT EXISTS (SELECT 1 FROM observation WHERE observation.chain_id = chain.id)
                """, key: "id", cutoff: nil),
        Pruning(
            table: "certificate",
            select: """
                SELECT sha256 FROM certificate WHERE NOT EXISTS (
                  SELECT 1 FROM chain_certificate link WHERE link.sha256 = certificate.sha256)
                """, key: "sha256", cutoff: nil),
        Pruning(
            table: "public_key",
            select: """
                SELECT spki FROM public_key WHERE NOT EXISTS (
                  SELECT 1 FROM certificate WHERE certificate.spki = public_key.spki)
                """, key: "spki", cutoff: nil),
    ]
}

extension Writer {
    func prune(_ step: Pruning, batch: Int) throws(StoreError) -> Int {
        let removed = try perform(.pruning) { () throws(StoreError) in try remove(step, batch: batch) }
        if removed > 0 { options.checkpoint("store.prune.after_commit") }
        // What is remembered refers to no observation that ended, and to no resolution that old; of spans, a target
        // that is scanned no longer may still hold one that went.
        if removed > 0, step.table == "span", let cutoff = step.cutoff {
            memories.known = memories.known.filter { _, memory in
                !memory.spans.contains { span in span.closedAt.map { $0 < cutoff } ?? false }
            }
        }
        return removed
    }

    private func remove(_ step: Pruning, batch: Int) throws(StoreError) -> Int {
        try transaction { database throws(StoreError) in
            var values: Values = [("batch", .integer(Int64(batch)))]
            if let cutoff = step.cutoff { values.append(("cutoff", .at(cutoff))) }
            let removed = try database.run(
                "DELETE FROM \(step.table) WHERE \(step.key) IN (\(step.select) LIMIT :batch)", values)
            if removed > 0 { options.checkpoint("store.prune.before_commit") }
            return removed
        }
    }
}
