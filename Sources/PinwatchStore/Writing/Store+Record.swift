package import PinwatchCore

/// What a recording came to.
package struct Recorded: Sendable {
    /// Events appended, in order, with their stream's cursors.
    package let events: [EventRecord]
    /// Outbox rows written: above 0 the courier has something to do.
    package let owed: Int
    /// Targets that a scan without narrowed hellos saw something new of: they are to be asked for each key family now.
    package var moved: Set<TargetID> = []
}

/// What judging the scopes that were due came to.
package struct Judgement: Sendable {
    /// As many as the limit means that more may wait.
    package let judged: Int
    package let recorded: Recorded
    /// Why the last of those that were put off could not be judged.
    package let fault: StoreError?
}

extension Store {
    /// Writes whole scans, what they change, and what is owed because of it, in one transaction. Either all of it is
    /// kept when this returns, through power loss too, or it throws and none is.
    ///
    /// They are judged by the policy in force; see ``synchronize(_:trustStores:urlHash:readPinSet:now:)``.
    ///
    /// - Parameter now: The time of judgement.
    @discardableResult
    package func record(
        _ scans: [Scan], assessor: any ChainAssessor, now: Instant
    ) async throws(StoreError) -> Recorded {
        try await writer.record(scans, assessor: assessor, now: now)
    }

    /// Says that scanning stood still until now, as while the machine slept: from now on targets have their time again
    /// before they count as stale. The installation has not: that no scan came is told of it.
    package func scanningResumes(at now: Instant) async { await writer.scanningResumes(at: now) }

    /// Judges scopes whose time has come, at most `limit` of them in one transaction.
    ///
    /// A scope that cannot be judged for a reason that stays is put off by an hour, and the others are judged.
    package func evaluateDue(
        assessor: any ChainAssessor, now: Instant, limit: Int = 200
    ) async throws(StoreError) -> Judgement {
        try await writer.evaluateDue(assessor: assessor, now: now, limit: limit)
    }
}

extension Writer {
    func record(_ scans: [Scan], assessor: any ChainAssessor, now: Instant) throws(StoreError) -> Recorded {
        let recorded = try perform(.scans) { () throws(StoreError) in
            try recording(assessor: assessor, now: now) { recording throws(StoreError) in
                options.checkpoint("store.record.after_begin")
                for scan in scans { try recording.apply(scan) }
                try recording.writeLastScan(of: scans)
                try recording.judgeHosts()
                let silent = try recording.database.number(
                    "SELECT count(*) FROM finding WHERE scope_key = :scope",
                    [("scope", .text(EvaluationScope.installation.key))])
                // A suspicion has it judged with the hosts.
                if silent > 0, !recording.installationIsJudged { try recording.judge(.installation) }
                options.checkpoint("store.record.before_commit")
            }
        }
        options.checkpoint("store.record.after_commit")
        return recorded
    }

    func scanningResumes(at now: Instant) { policy.scanningSince = now }

    func evaluateDue(
        assessor: any ChainAssessor, now: Instant, limit: Int
    ) throws(StoreError) -> Judgement {
        let due = try look { database throws(StoreError) in
            try database.rows(
                """
                SELECT scope_key FROM evaluation WHERE next_change_at <= :now ORDER BY next_change_at LIMIT :limit
                """, [("now", .at(now)), ("limit", .integer(Int64(limit)))]
            ).map { row throws(StoreError) in try row.text(0) }
        }
        if due.isEmpty { return Judgement(judged: 0, recorded: Recorded(events: [], owed: 0), fault: nil) }
        do throws(StoreError) {
            let recorded = try perform(.judgement) { () throws(StoreError) in
                try judgeTogether(due, assessor: assessor, now: now)
            }
            return Judgement(judged: due.count, recorded: recorded, fault: nil)
        } catch {
            guard !error.isPassing else { throw error }
            return try judgeApart(due, assessor: assessor, now: now)
        }
    }

    private func judgeTogether(_ keys: [String], assessor: any ChainAssessor, now: Instant) throws(StoreError)
        -> Recorded
    {
        let recorded = try recording(assessor: assessor, now: now) { recording throws(StoreError) in
            options.checkpoint("store.judge.after_begin")
            for key in keys { try recording.judge(EvaluationScope(key: key)) }
            options.checkpoint("store.judge.before_commit")
        }
        options.checkpoint("store.judge.after_commit")
        return recorded
    }

    /// Each scope by itself, so that one which cannot be judged holds up none of the others; it is put off by an hour.
    private func judgeApart(_ keys: [String], assessor: any ChainAssessor, now: Instant) throws(StoreError) -> Judgement
    {
        var events: [EventRecord] = []
        var owed = 0
        var fault: StoreError?
        for key in keys {
            do throws(StoreError) {
                let recorded = try judgeTogether([key], assessor: assessor, now: now)
                events += recorded.events
                owed += recorded.owed
            } catch {
                guard !error.isPassing else { throw error }
                fault = error
                _ = try transaction { database throws(StoreError) in
                    try database.run(
                        "UPDATE evaluation SET next_change_at = :later WHERE scope_key = :key",
                        [("later", .at(now + 3_600)), ("key", .text(key))])
                }
            }
        }
        return Judgement(judged: keys.count, recorded: Recorded(events: events, owed: owed), fault: fault)
    }

    /// Runs one transaction of recording, takes over what it remembers once it is committed, and tells what it brought.
    func recording(
        assessor: any ChainAssessor, now: Instant, _ body: (inout Recording) throws(StoreError) -> Void
    ) throws(StoreError) -> Recorded {
        let done = try transaction { database throws(StoreError) in
            var recording = begin(database, assessor: assessor, now: now)
            try body(&recording)
            return recording
        }
        return takeOver(done)
    }

    func begin(_ database: any Database, assessor: any ChainAssessor, now: Instant) -> Recording {
        Recording(
            database: database, options: options, policy: policy, assessor: assessor, startedAt: startedAt, now: now,
            memories: memories, windows: windows)
    }

    /// What a recording that is committed leaves behind. Nothing else enters between the commit and this, so that
    /// policy and rows always agree.
    @discardableResult
    func takeOver(_ done: Recording) -> Recorded {
        policy = done.policy
        pinSetsInForce.show(policy.pinSets)
        for target in done.forgotten { memories.known[target] = nil }
        for (target, memory) in done.touched { memories.known[target] = memory }
        windows = GatheringWindows(ends: done.windows.ends.filter { $0.value > done.now })
        if !done.commit.isEmpty { options.committed(done.commit) }
        return Recorded(events: done.commit.events, owed: done.commit.owed, moved: done.moved)
    }
}

extension Database {
    func scheduleAll(at now: Instant) throws(StoreError) {
        try run(
            """
            INSERT INTO evaluation (scope_key, next_change_at)
            SELECT scope_key, :now FROM (
              SELECT 'host/' || host AS scope_key FROM target_standing
              UNION SELECT 'pin-set/' || id FROM pin_set WHERE removed_at IS NULL
              UNION SELECT 'channel/' || name FROM channel_state
              UNION SELECT scope_key FROM finding
              UNION SELECT 'installation'
            ) AS scopes WHERE true
            ON CONFLICT (scope_key) DO UPDATE SET next_change_at = excluded.next_change_at
            """, [("now", .at(now))])
    }
}

extension EvaluationScope {
    /// Reads a stored ``key`` back.
    init(key: String) throws(StoreError) {
        for scope in [Self.installation, .silences] where key == scope.key {
            self = scope
            return
        }
        let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw .unreadableRow(column: 0, why: "`\(key)` is no scope") }
        switch (parts[0], Int64(parts[1])) {
        case ("host", _): self = .host(parts[1])
        case ("channel", _): self = .channel(parts[1])
        case ("pin-set", let id?): self = .pinSet(PinSetID(id))
        default: throw .unreadableRow(column: 0, why: "`\(key)` is no scope")
        }
    }
}
