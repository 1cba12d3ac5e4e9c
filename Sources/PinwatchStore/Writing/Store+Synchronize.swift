package import PinwatchCore

/// What is configured, with the store's numbers.
package struct Synchronized: Sendable {
    /// A target and when it was last scanned, which decides when it is due.
    package struct Scheduled: Sendable, Hashable {
        package let target: Target
        package let lastScanAt: Instant?
    }
    /// By number, those that came by the API too.
    package let targets: [Scheduled]
    /// In the configuration's order, then those that came by the API.
    package let pinSets: [PinSet]
    /// Events of targets that came or went.
    package let events: [EventRecord]
    package let owed: Int
}

extension Store {
    /// Makes what the store holds of a configuration file the one of this configuration, in one transaction, and puts it
    /// in force together with what came by the API; writes nothing if it is already.
    ///
    /// May be called again while the service runs, and then comes to the same as a start with the new configuration.
    ///
    /// What the file lists and the API made too, under the same identity, is the file's from then on, in the file's form;
    /// when the file drops it, it is removed, and not given back. A target or pin set that is no longer configured keeps
    /// its number and, until retention ends, its history, and is the same one again if it comes back. What changed is
    /// judged by the next ``evaluateDue(assessor:now:limit:)``: the findings of removed targets resolve there. A channel
    /// that was disabled by its receiver is enabled again if its URL's hash differs; deliveries to a channel that is gone
    /// are dropped.
    ///
    /// Everything is judged again if pin sets, thresholds or trust stores differ, or if an Evaluator of other rules
    /// judged last. A start with what was known before judges nothing but what the clock asks for.
    ///
    /// - Parameters:
    ///   - trustStores: By name, a digest of the anchors that judgement uses.
    ///   - urlHash: Tells a channel's URLs apart. The URL is a secret, so this must be of no use to guess it by: keyed,
    ///     with a key that is not in the database.
    ///   - readPinSet: Reads the stored text of a pin set that came by the API; not asked whether trust stores are known.
    ///     One that it refuses is in force as a pin set that cannot be loaded.
    ///   - line: Of the audit trail, kept if and only if the configuration is in force.
    package func synchronize(
        _ configuration: Configuration, trustStores: [String: SHA256Digest],
        urlHash: @Sendable (Channel) -> [UInt8], readPinSet: @escaping PinSetReader,
        noting line: AuditRecord? = nil, now: Instant
    ) async throws(StoreError) -> Synchronized {
        let channels = configuration.channels.map { (channel: StoredChannel($0), urlHash: urlHash($0)) }
        return try await writer.synchronize(
            configuration, rules: configuration.rules(trustStores: trustStores), channels: channels,
            readPinSet: readPinSet, noting: line, now: now)
    }
}

extension Writer {
    func synchronize(
        _ configuration: Configuration, rules: String, channels: [(channel: StoredChannel, urlHash: [UInt8])],
        readPinSet: PinSetReader, noting line: AuditRecord?, now: Instant
    ) throws(StoreError) -> Synchronized {
        let recorded = try recording(assessor: NoAssessor(), now: now) { recording throws(StoreError) in
            options.checkpoint("store.synchronize.after_begin")
            recording.policy.thresholds = configuration.thresholds
            recording.policy.periodSeconds = configuration.scan.periodSeconds
            // First of all, since the events of targets that come and go are routed by them.
            try recording.synchronize(channels: channels)
            try recording.synchronize(routes: configuration.routes)
            try recording.synchronize(silences: configuration.silences)
            options.checkpoint("store.synchronize.after_routes")
            try recording.synchronize(targets: configuration.targets)
            try recording.synchronize(pinSets: configuration.pinSets, read: readPinSet)
            options.checkpoint("store.synchronize.after_pin_sets")
            let rulesChanged = try recording.remember(rules: rules)
            if recording.commit.definitions.contains(.pinSets) || rulesChanged {
                try recording.database.scheduleAll(at: now)
            }
            if let line { try recording.database.append(line) }
            options.checkpoint("store.synchronize.before_commit")
        }
        options.checkpoint("store.synchronize.after_commit")
        // The flap window may be another; what is remembered of targets is read again as they are scanned.
        memories.known.removeAll()
        let targets = try look { database throws(StoreError) in try database.scheduledTargets() }
        return Synchronized(
            targets: targets, pinSets: policy.pinSets, events: recorded.events, owed: recorded.owed)
    }
}

/// For transactions that judge no chains.
struct NoAssessor: ChainAssessor {
    func assessment(
        of chain: ChainID, trustStore: String, now: Instant, load: () throws -> Chain?
    ) rethrows -> ChainAssessment? { nil }
}

extension Configuration {
    /// What judgement goes by beside pin sets, in one text: if it differs, everything is judged again.
    fileprivate func rules(trustStores: [String: SHA256Digest]) -> String {
        return JSON.object([
            ("near", .integer(thresholds.nearSeconds)), ("soon", .integer(thresholds.soonSeconds)),
            ("imminent", .integer(thresholds.imminentSeconds)),
            ("lead_time", .integer(thresholds.leadTimeSeconds)),
            ("failing_after", .integer(Int64(thresholds.failingAfter))),
            ("flap_window", .integer(thresholds.flapWindowSeconds)), ("period", .integer(scan.periodSeconds)),
            ("evaluator", .integer(Evaluator.rulesVersion)),
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
