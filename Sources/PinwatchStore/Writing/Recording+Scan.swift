internal import PinwatchCore

extension Recording {
    /// Writes one scan: its chains, spans, events, observations and the target's status. A scan of a target that is no
    /// longer configured is dropped.
    mutating func apply(_ scan: Scan) throws(StoreError) {
        guard var memory = try memory(of: scan.target.id) else { return }
        try keepChains(of: scan, memory)
        memory.forget(before: scan.startedAt, flapWindowSeconds: policy.thresholds.flapWindowSeconds)
        let update = SpanBook.apply(scan, to: memory.spans, flapWindowSeconds: policy.thresholds.flapWindowSeconds)
        try tell(update.transitions, of: scan)
        try tellTimestamps(of: scan, memory)
        var changed = !update.isSteady
        // An unchanged scan keeps no second copy.
        let before = changed ? memory.spans : []
        try write(update, of: scan.target.id, to: &memory)
        if changed { try tellFamilies(of: scan, before: before, memory) }
        options.checkpoint("store.record.after_spans")

        if changed { shifted.insert(scan.target.id) }
        if changed, scan.hellos == .phone { moved.insert(scan.target.id) }
        if try retire(scan, &memory) { changed = true }
        if changed { try followRollouts(update.transitions, of: scan, &memory) }
        if try writeObservations(of: scan, to: &memory) { changed = true }
        if try writeStatus(of: scan, to: &memory) { changed = true }
        if changed || memory.isCalledStale { mark(host: memory.host) }
        memory.forget(before: scan.startedAt, flapWindowSeconds: policy.thresholds.flapWindowSeconds)
        touched[scan.target.id] = memory
        options.checkpoint("store.record.after_observations")
    }

    /// Stores chains that no span or run of the target refers to; those are stored already.
    private func keepChains(of scan: Scan, _ memory: TargetMemory) throws(StoreError) {
        for case let chain? in scan.observations.map(\.chain) {
            if memory.spans.contains(where: { $0.chain == chain.id }) { continue }
            if memory.runs.values.contains(where: { $0.chain == chain.id }) { continue }
            let assessment = try typed {
                assessor.assessment(
                    of: chain.id, trustStore: scan.target.settings.trustStore, now: now, load: { chain })
            }
            try database.keep(chain, summaries: assessment?.certificates, at: scan.endedAt)
            options.checkpoint("store.record.after_chain")
        }
    }

    /// Turns transitions into events, before the scan's own sightings are written.
    private mutating func tell(_ transitions: [ChainTransition], of scan: Scan) throws(StoreError) {
        guard !transitions.isEmpty else { return }
        let target = scan.target
        let found = try typed {
            try ChangeJudge.events(
                for: transitions, of: target, policy: policy, now: scan.endedAt,
                servedBefore: { try database.lastServed(key: $0, by: target.id) },
                assess: { try assessment($0, $1) })
        }
        try tell(found, target: target)
    }

    /// Tells what kinds of keys came and went, by the last answers to narrowed hellos before this scan's are written.
    private mutating func tellFamilies(of scan: Scan, before: [Span], _ memory: TargetMemory) throws(StoreError) {
        let found = FamilyJudge.events(of: scan, before: before, after: memory.spans) { address, profile in
            let run = memory.runs[TargetMemory.Lane(address: address, profile: profile)]
            return if case .noSuchKeyFamily = run?.outcome { true } else { false }
        }
        if !found.isEmpty { try tell(found, target: scan.target) }
    }

    /// Retires addresses that resolution has long stopped giving, and what flapped and went away. Asked only after a
    /// resolution, which is what tells that an address is gone.
    private func retire(_ scan: Scan, _ memory: inout TargetMemory) throws(StoreError) -> Bool {
        guard let resolved = scan.resolved else { return false }
        try writeResolution(resolved, of: scan, to: &memory)
        let open = memory.spans.filter { $0.closedAt == nil }
        let gone = open.contains { span in
            (span.flaps > 0 && span.lastSeen <= now - policy.thresholds.flapWindowSeconds)
                || span.servings.contains { serving in
                    serving.current
                        && (memory.resolved[serving.address] ?? serving.lastSeen)
                            <= now - SpanBook.addressRetirementSeconds
                }
        }
        guard gone else { return false }
        let update = SpanBook.retire(
            open, resolved: memory.resolved, flapWindowSeconds: policy.thresholds.flapWindowSeconds, now: now)
        try write(update, of: scan.target.id, to: &memory)
        return !update.entries.isEmpty
    }

    /// Moves an address's time only when it is ten minutes old: it serves a limit of 24 hours.
    private func writeResolution(
        _ addresses: [IPAddress], of scan: Scan, to memory: inout TargetMemory
    ) throws(StoreError) {
        for address in addresses {
            if let known = memory.resolved[address], scan.endedAt.seconds(since: known) < 600 { continue }
            try database.run(
                """
                INSERT INTO address_resolution (target_id, address, last_resolved_at) VALUES (:target, :address, :at)
                ON CONFLICT (target_id, address) DO UPDATE SET last_resolved_at = excluded.last_resolved_at
                """,
                [
                    ("target", .integer(scan.target.id.rawValue)), ("address", .address(address)),
                    ("at", .at(scan.endedAt)),
                ])
            memory.resolved[address] = scan.endedAt
        }
    }

    /// Moves the target's narrow row. Whether judgement may see a difference: a first scan, a failure while it still
    /// counts up to the threshold, or the end of failing.
    private func writeStatus(of scan: Scan, to memory: inout TargetMemory) throws(StoreError) -> Bool {
        let before = memory.status
        memory.status.lastScanAt = scan.endedAt
        if scan.observations.contains(where: { $0.chain != nil }) {
            memory.status.lastChainAt = scan.endedAt
            memory.status.failures = 0
            memory.status.failingSince = nil
        } else {
            memory.status.failures += 1
            memory.status.failingSince = before.failingSince ?? scan.endedAt
        }
        let after = memory.status
        try database.run(
            """
            UPDATE target_status SET last_scan_at = :scan, on_time_until_at = :scan + 3 * period_s / 2,
              last_chain_at = :chain, failures = :failures, failing_since_at = :since WHERE target_id = :target
            """,
            [
                ("target", .integer(scan.target.id.rawValue)), ("scan", .optional(after.lastScanAt)),
                ("chain", .optional(after.lastChainAt)), ("failures", .integer(after.failures)),
                ("since", .optional(after.failingSince)),
            ])
        if before.lastScanAt == nil || (before.failures > 0 && after.failures == 0) { return true }
        return after.failures > 0 && after.failures <= Int64(policy.thresholds.failingAfter) + 1
    }
}

extension Recording {
    /// Moves the time of the newest scan of all.
    func writeLastScan(of scans: [Scan]) throws(StoreError) {
        guard let last = scans.map(\.endedAt).max() else { return }
        try database.run(
            "UPDATE installation SET last_scan_at = :last WHERE last_scan_at IS NULL OR last_scan_at < :last",
            [("last", .at(last))])
    }
}

extension Database {
    /// When a scan last ended; `nil` before the first.
    func lastScanAt() throws(StoreError) -> Instant? {
        try row("SELECT last_scan_at FROM installation")?.instantOrNil(0)
    }

    /// When a target last served a key as its leaf's, as far as history goes.
    func lastServed(key: SHA256Digest, by target: TargetID) throws(StoreError) -> Instant? {
        try row(
            """
            SELECT max(seen.last_seen_at) FROM certificate
            JOIN chain_certificate link ON link.sha256 = certificate.sha256 AND link.position = 0
            JOIN span ON span.chain_id = link.chain_id AND span.target_id = :target
            JOIN span_sighting seen ON seen.span_id = span.id
            WHERE certificate.spki = :spki
            """, [("target", .integer(target.rawValue)), ("spki", .digest(key))])?.instantOrNil(0)
    }
}
