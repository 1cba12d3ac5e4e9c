package import PinwatchCore

/// What is configured, with the store's numbers.
package struct Synchronized: Sendable {
    /// A target and when it was last scanned, which decides when it is due.
    package struct Scheduled: Sendable, Hashable {
        package let target: Target
        package let lastScanAt: Instant?
    }
    /// By number.
    package let targets: [Scheduled]
    /// In the configuration's order.
    package let pinSets: [PinSet]
    /// Events of targets that came or went.
    package let events: [EventRecord]
    package let owed: Int
}

extension Store {
    /// Makes the stored targets, pin sets and channels those of the configuration, in one transaction; writes nothing
    /// if they are already.
    ///
    /// A target or pin set that is no longer configured keeps its number and, until retention ends, its history, and is
    /// the same one again if it comes back. What changed is judged by the next ``evaluateDue(judge:now:limit:)``: the
    /// findings of removed targets resolve there. A channel that was disabled by its receiver is enabled again if its
    /// URL's hash differs; deliveries to a channel that is gone are dropped.
    ///
    /// Everything is judged again if pin sets, thresholds, routes or trust stores differ, or if an Evaluator of other
    /// rules judged last. A start with what was known before judges nothing but what the clock asks for.
    ///
    /// - Parameters:
    ///   - trustStores: By name, a digest of the anchors that judgement uses.
    ///   - urlHash: A hash of a channel's URL, which is itself a secret and not stored.
    package func synchronize(
        _ configuration: Configuration, trustStores: [String: SHA256Digest],
        urlHash: @Sendable (Channel) -> [UInt8], now: Instant
    ) async throws(StoreError) -> Synchronized {
        let hashes = configuration.channels.map { (name: $0.name, hash: urlHash($0)) }
        return try await writer.synchronize(
            configuration, rules: configuration.rules(trustStores: trustStores), hashes: hashes, now: now)
    }
}

extension Writer {
    func synchronize(
        _ configuration: Configuration, rules: String, hashes: [(name: String, hash: [UInt8])], now: Instant
    ) throws(StoreError) -> Synchronized {
        let policy = EvaluationPolicy(
            thresholds: configuration.thresholds, periodSeconds: configuration.scan.periodSeconds,
            routes: configuration.routes, channels: configuration.channels, pinSets: [])
        var pinSets: [PinSet] = []
        let recorded = try recording(judge: Judge(policy: policy, assessor: NoAssessor()), now: now) {
            recording throws(StoreError) in
            options.checkpoint("store.synchronize.after_begin")
            try recording.synchronize(targets: configuration.targets)
            let changed: Bool
            (pinSets, changed) = try recording.synchronize(pinSets: configuration.pinSets)
            options.checkpoint("store.synchronize.after_pin_sets")
            try recording.synchronize(channels: hashes)
            let rulesChanged = try recording.remember(rules: rules)
            if changed || rulesChanged { try recording.database.scheduleAll(at: now) }
            options.checkpoint("store.synchronize.before_commit")
        }
        options.checkpoint("store.synchronize.after_commit")
        // Any target may have changed; what is remembered of them is read again as they are scanned.
        memories.known.removeAll()
        let targets = try look { database throws(StoreError) in try database.scheduledTargets() }
        return Synchronized(targets: targets, pinSets: pinSets, events: recorded.events, owed: recorded.owed)
    }
}

/// Synchronisation judges no chains.
private struct NoAssessor: ChainAssessor {
    func assessment(
        of chain: ChainID, trustStore: String, now: Instant, load: () throws -> Chain?
    ) rethrows -> ChainAssessment? { nil }
}

extension Configuration {
    /// What judgement goes by beside pin sets, in one text: if it differs, everything is judged again.
    fileprivate func rules(trustStores: [String: SHA256Digest]) -> String {
        let routes: [JSON] = routes.map { route in
            .object([
                ("severities", .strings(route.severities.map(\.rawValue).sorted())),
                ("kinds", .strings(route.kinds.map(\.rawValue).sorted())),
                ("labels", .object(route.labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
                ("events", .strings(route.events.map(\.rawValue).sorted())), ("channels", .strings(route.channels)),
            ])
        }
        return JSON.object([
            ("near", .integer(thresholds.nearSeconds)), ("soon", .integer(thresholds.soonSeconds)),
            ("imminent", .integer(thresholds.imminentSeconds)),
            ("failing_after", .integer(Int64(thresholds.failingAfter))),
            ("flap_window", .integer(thresholds.flapWindowSeconds)), ("period", .integer(scan.periodSeconds)),
            ("routes", .array(routes)), ("evaluator", .integer(Evaluator.rulesVersion)),
            ("trust_stores", .object(trustStores.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.hex)) })),
        ]).text
    }
}

extension Recording {
    func remember(rules: String) throws(StoreError) -> Bool {
        let known = try database.row("SELECT value FROM meta WHERE name = 'rules'")?.text(0)
        if known == rules { return false }
        try database.run(
            """
            INSERT INTO meta (name, value) VALUES ('rules', :value)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [("value", .text(rules))])
        return true
    }
}

extension Database {
    func scheduledTargets() throws(StoreError) -> [Synchronized.Scheduled] {
        var targets: [Synchronized.Scheduled] = []
        for row in try rows(
            """
            SELECT \(Target.columns), status.last_scan_at
            FROM target JOIN target_status status ON status.target_id = target.id
            WHERE target.removed_at IS NULL ORDER BY target.id
            """)
        {
            targets.append(
                Synchronized.Scheduled(
                    target: try Target(row: row, at: 0), lastScanAt: try row.instantOrNil(Target.columnCount)))
        }
        return targets
    }
}
