internal import PinwatchCore

extension TargetMemory {
    /// Reads what is stored of a configured target; `nil` if there is none of that number.
    static func load(
        _ target: TargetID, flapWindowSeconds: Int64, now: Instant, from database: any Database
    ) throws(StoreError) -> TargetMemory? {
        let id: Values = [("target", .integer(target.rawValue))]
        let found = try database.row(
            """
            SELECT target.host, target.added_at, status.last_scan_at, status.last_chain_at, status.failures,
              status.failing_since_at
            FROM target JOIN target_status status ON status.target_id = target.id
            WHERE target.id = :target AND target.removed_at IS NULL
            """, id)
        guard let row = found else { return nil }
        let stale = try database.number(
            """
            SELECT count(*) FROM finding WHERE target_id = :target AND (stale = 1 OR kind = 'scan.stale')
            """, id)
        var resolved: [IPAddress: Instant] = [:]
        for row in try database.rows(
            """
            SELECT address, last_resolved_at FROM address_resolution
            WHERE target_id = :target AND last_resolved_at >= :since
            """, id + [("since", .at(now - resolutionSeconds))])
        {
            resolved[try row.address(0)] = try row.instant(1)
        }
        return TargetMemory(
            host: try row.text(0),
            status: Status(
                addedAt: try row.instant(1), lastScanAt: try row.instantOrNil(2), lastChainAt: try row.instantOrNil(3),
                failures: try row.integer(4), failingSince: try row.instantOrNil(5)),
            spans: try database.recentSpans(of: target, since: now - flapWindowSeconds),
            runs: try runs(of: target, from: database), rollouts: try database.rollouts(of: target), resolved: resolved,
            isCalledStale: stale > 0)
    }

    private static func runs(of target: TargetID, from database: any Database) throws(StoreError) -> [Lane: Run] {
        var runs: [Lane: Run] = [:]
        let rows = try database.rows(
            "SELECT \(Run.columns) \(Run.source) WHERE observation.target_id = :target AND observation.current = 1",
            [("target", .integer(target.rawValue))])
        for row in rows {
            let lane = Lane(address: try row.addressOrNil(0), profile: try row.word(1))
            runs[lane] = try Run(row: row)
        }
        return runs
    }
}

extension TargetMemory.Run {
    static let columns = """
        observation.address, observation.profile, observation.id, observation.outcome, observation.detail, \
        observation.chain_id, observation.tls_version, observation.cipher, observation.alpn, observation.key_family, \
        observation.scts, observation.stapled_ocsp, observation.first_at, seen.last_at, seen.times, seen.duration_ms, \
        seen.failures, observation.dh_bits
        """
    static let source = "FROM observation JOIN observation_sighting seen ON seen.observation_id = observation.id"

    init(row: Row) throws(StoreError) {
        let observation = try Observation(row: row)
        self.init(
            id: try row.integer(2), outcome: observation.outcome,
            chain: try row.digestOrNil(5).map { ChainID(digest: $0) }, tlsVersion: observation.tlsVersion,
            diffieHellmanBits: observation.diffieHellmanBits, details: TargetMemory.Details(observation),
            since: try row.instant(12), lastAt: observation.at, times: try row.integer(14),
            failures: try row.integer(16))
    }
}

extension Observation {
    /// Reads a row of ``TargetMemory/Run/columns``: the newest of its run, without its chain's bytes.
    init(row: Row) throws(StoreError) {
        guard let detail = JSON(stored: try row.text(4)) else { throw row.wrong(4, "JSON") }
        self.init(
            at: try row.instant(13), address: try row.addressOrNil(0), profile: try row.word(1),
            outcome: try Outcome(word: try row.text(3), detail: detail))
        tlsVersion = try row.wordOrNil(6)
        cipher = try row.textOrNil(7)
        alpn = try row.textOrNil(8)
        keyFamily = try row.wordOrNil(9)
        scts = try row.whole(10)
        stapledOCSP = try row.blobOrNil(11)
        durationMilliseconds = try row.integer(15)
        diffieHellmanBits = try row.integerOrNil(17).map { Int($0) }
    }
}
