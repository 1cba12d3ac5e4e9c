internal import PinwatchCore

extension Recording {
    /// Continues each lane's run of equal results, or begins a new one.
    ///
    /// - Returns: Whether judgement may see a difference: a run began, the set of lanes changed, or an address has now
    ///   failed often enough to be told.
    func writeObservations(of scan: Scan, to memory: inout TargetMemory) throws(StoreError) -> Bool {
        var changed = false
        for observation in scan.observations {
            let lane = TargetMemory.Lane(address: observation.address, profile: observation.profile)
            let known = memory.runs[lane]
            if known == nil { changed = true }
            var last = known
            if last == nil { last = try newestRun(of: lane, scan.target.id) }
            let failures = failures(after: last, by: observation, wasCurrent: known != nil)
            if var run = last, run.isContinued(by: observation) {
                run.failures = failures
                try extend(&run, by: observation, wasCurrent: known != nil)
                memory.runs[lane] = run
            } else {
                if let known { try setCurrent(false, known.id) }
                memory.runs[lane] = try begin(observation, of: scan.target.id, failures: failures)
                changed = true
            }
            if failures == Int64(max(policy.thresholds.failingAfter, 1)) { changed = true }
        }
        guard scan.resolved != nil else { return changed }
        let lanes = Set(scan.observations.map { TargetMemory.Lane(address: $0.address, profile: $0.profile) })
        let addresses = Set(lanes.map(\.address))
        for (lane, run) in memory.runs where !lanes.contains(lane) {
            // Narrowed hellos are not sent every time: their last answers stand until the address goes away.
            if lane.profile.isNarrowed, scan.hellos == .phone, addresses.contains(lane.address) { continue }
            try setCurrent(false, run.id)
            memory.runs[lane] = nil
            changed = true
        }
        return changed
    }

    /// Scans in a row that got no chain, this one included.
    ///
    /// Balancers give an address in some answers and not in others: while resolution left it out nobody asked it, so its
    /// count goes on, for as long as a chain's span would. A failed resolution or a second hello that was not needed
    /// meanwhile says that all was well.
    private func failures(
        after last: TargetMemory.Run?, by observation: Observation, wasCurrent: Bool
    ) -> Int64 {
        if case .noSuchKeyFamily = observation.outcome { return 0 }
        guard observation.chain == nil else { return 0 }
        guard let last else { return 1 }
        let wasLeftOut =
            observation.address != nil && observation.profile == .phone
            && last.lastAt >= observation.at - policy.thresholds.flapWindowSeconds
        return wasCurrent || wasLeftOut ? last.failures + 1 : 1
    }

    /// The last run of an address and hello, also of an address that went away.
    ///
    /// - Parameter showsChain: Passes over runs that got no chain.
    func newestRun(
        of lane: TargetMemory.Lane, _ target: TargetID, showsChain: Bool = false
    ) throws(StoreError) -> TargetMemory.Run? {
        let row = try database.row(
            """
            SELECT \(TargetMemory.Run.columns) \(TargetMemory.Run.source)
            WHERE observation.target_id = :target AND observation.address = :address
              AND observation.profile = :profile \(showsChain ? "AND observation.chain_id IS NOT NULL" : "")
            ORDER BY observation.id DESC LIMIT 1
            """,
            [
                ("target", .integer(target.rawValue)), ("address", .address(lane.address)),
                ("profile", .text(lane.profile.rawValue)),
            ])
        guard let row else { return nil }
        return try TargetMemory.Run(row: row)
    }

    private func setCurrent(_ current: Bool, _ run: Int64) throws(StoreError) {
        try database.run(
            "UPDATE observation SET current = :current WHERE id = :run",
            [("run", .integer(run)), ("current", .flag(current))])
    }

    private func extend(
        _ run: inout TargetMemory.Run, by observation: Observation, wasCurrent: Bool
    ) throws(StoreError) {
        let details = TargetMemory.Details(observation)
        if run.details != details || run.outcome != observation.outcome {
            if run.details.staple != details.staple, let chain = run.chain {
                try database.lookAtRevocation(of: chain, at: now)
            }
            run.details = details
            run.outcome = observation.outcome
            try database.run(
                """
                UPDATE observation SET detail = :detail, cipher = :cipher, alpn = :alpn, key_family = :key_family, scts = :scts,
                  stapled_ocsp = :stapled_ocsp WHERE id = :run
                """, [("run", .integer(run.id))] + observation.detailValues)
        }
        if !wasCurrent { try setCurrent(true, run.id) }
        run.lastAt = max(run.lastAt, observation.at)
        run.times += 1
        try database.run(
            """
            UPDATE observation_sighting SET last_at = :last, times = :times, failures = :failures, duration_ms = :duration
            WHERE observation_id = :run
            """,
            [
                ("run", .integer(run.id)), ("last", .at(run.lastAt)), ("times", .integer(run.times)),
                ("failures", .integer(run.failures)), ("duration", .integer(observation.durationMilliseconds)),
            ])
    }

    private func begin(
        _ observation: Observation, of target: TargetID, failures: Int64
    ) throws(StoreError) -> TargetMemory.Run {
        let id = try database.number(
            """
            INSERT INTO observation (target_id, address, profile, current, outcome, detail, tls_version, cipher, alpn,
              key_family, chain_id, scts, first_at, stapled_ocsp, dh_bits)
            VALUES (:target, :address, :profile, 1, :outcome, :detail, :tls_version, :cipher, :alpn, :key_family,
              :chain, :scts, :first, :stapled_ocsp, :dh_bits) RETURNING id
            """,
            [
                ("target", .integer(target.rawValue)), ("address", .address(observation.address)),
                ("profile", .text(observation.profile.rawValue)), ("outcome", .text(observation.outcome.word)),
                ("tls_version", .optional(observation.tlsVersion?.rawValue)),
                ("dh_bits", .optional(observation.diffieHellmanBits.map { Int64($0) })),
                ("chain", .optional(observation.chain?.id.digest.bytes)), ("first", .at(observation.at)),
            ] + observation.detailValues)
        try database.run(
            """
            INSERT INTO observation_sighting (observation_id, last_at, times, failures, duration_ms)
            VALUES (:run, :last, 1, :failures, :duration)
            """,
            [
                ("run", .integer(id)), ("last", .at(observation.at)), ("failures", .integer(failures)),
                ("duration", .integer(observation.durationMilliseconds)),
            ])
        return TargetMemory.Run(
            id: id, outcome: observation.outcome, chain: observation.chain?.id, tlsVersion: observation.tlsVersion,
            diffieHellmanBits: observation.diffieHellmanBits, details: TargetMemory.Details(observation),
            since: observation.at, lastAt: observation.at, times: 1,
            failures: failures)
    }
}

extension TargetMemory.Run {
    func isContinued(by observation: Observation) -> Bool {
        outcome.isSameAnswer(as: observation.outcome) && chain == observation.chain?.id
            && tlsVersion == observation.tlsVersion && diffieHellmanBits == observation.diffieHellmanBits
    }
}

extension Outcome {
    /// Whether it is the same answer, in whatever words: many servers put the time or a random part into theirs.
    fileprivate func isSameAnswer(as other: Outcome) -> Bool {
        if case .alert(let number, _) = self, case .alert(let otherNumber, _) = other { return number == otherNumber }
        return word == other.word
    }
}

extension Observation {
    /// The columns that may change within a run.
    fileprivate var detailValues: Values {
        [
            ("detail", .text(outcome.detail.text)), ("cipher", .optional(cipher)), ("alpn", .optional(alpn)),
            ("key_family", .family(keyFamily)),
            ("scts", .integer(Int64(scts))), ("stapled_ocsp", .optional(stapledOCSP)),
        ]
    }
}
