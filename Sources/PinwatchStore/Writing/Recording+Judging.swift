internal import PinwatchCore

extension Recording {
    /// Judges every host that was marked, in order.
    mutating func judgeHosts() throws(StoreError) { try judge(hosts: hosts) }

    /// Judges the targets of one host together and reconciles what is stored with it; see ``judge(hosts:)``.
    mutating func judge(host: String) throws(StoreError) {
        let (live, removed) = try database.targets(of: host)
        var states: [TargetState] = []
        for target in live {
            guard let memory = try memory(of: target.id) else { continue }
            touched[target.id] = memory
            var state = memory.state(of: target, handshakes: try handshakes(of: target.id, memory))
            state.revoked = try database.revoked(among: state.openSpans.map(\.chain))
            states.append(state)
        }
        let evaluation = try typed {
            try Evaluator.evaluate(host: host, targets: states, policy: policy, now: now) {
                try assessment($0, $1)
            }
        }
        let open = try settle(.host(host), evaluation, about: live, removed: removed)
        for state in states {
            let id = state.target.id
            try writeVerdicts(of: id, evaluation)
            try writeStanding(of: state, findings: open)
            touched[id]?.isCalledStale = open.contains {
                $0.targetID == id && ($0.stale || $0.kind == .scanStale)
            }
        }
    }

    /// Judges a scope that has nothing to do with one host; a pin set or channel that is gone has no findings.
    mutating func judge(_ scope: EvaluationScope) throws(StoreError) {
        switch scope {
        case .host(let host): try judge(hosts: [host])
        case .pinSet(let id):
            let pinSet = policy.pinSets.first { $0.id == id }
            let evaluation =
                pinSet.map { Evaluator.evaluate(pinSet: $0, policy: policy, now: now) } ?? Evaluation()
            try settle(scope, evaluation)
        case .channel(let name): try settle(scope, try evaluate(channel: name))
        case .silences: try judgeSilences()
        case .installation:
            let count = try database.number("SELECT count(*) FROM target_standing")
            let (suspected, change) = try followSuspicions()
            var evaluation = Evaluator.evaluate(
                lastScanAt: try database.lastScanAt(), startedAt: startedAt, targets: Int(count), suspected: suspected,
                policy: policy, now: now)
            evaluation.nextChange = [evaluation.nextChange, change].compactMap { $0 }.min()
            try settle(scope, evaluation)
            installationIsJudged = true
        }
    }

    private func evaluate(channel name: String) throws(StoreError) -> Evaluation {
        let found = try database.row(
            "SELECT disabled_at, failures, last_error FROM channel_state WHERE name = :name", [("name", .text(name))])
        guard let row = found else { return Evaluation() }
        return Evaluator.evaluate(
            channel: name, disabledAt: try row.instantOrNil(0), consecutiveFailures: try row.whole(1),
            lastError: try row.textOrNil(2), now: now)
    }

    /// Replaces what is stored of a target's verdicts if it differs.
    private mutating func writeVerdicts(of target: TargetID, _ evaluation: Evaluation) throws(StoreError) {
        let id: Values = [("target", .integer(target.rawValue))]
        let verdicts = Set(evaluation.verdicts.filter { $0.targetID == target }.map(\.key))
        var stored: Set<[Value]> = []
        for row in try database.rows(
            "SELECT pin_set_id, address, key_family, chain_id, body, kind FROM verdict WHERE target_id = :target", id)
        {
            stored.insert(row.values)
        }
        if verdicts != stored {
            commit.topics.insert(.pinSets)
            try database.run("DELETE FROM verdict WHERE target_id = :target", id)
            for verdict in verdicts {
                try database.run(
                    """
                    INSERT INTO verdict (pin_set_id, target_id, address, key_family, chain_id, body, kind)
                    VALUES (:pin_set, :target, :address, :family, :chain, :body, :kind) ON CONFLICT DO NOTHING
                    """,
                    id + [
                        ("pin_set", verdict[0]), ("address", verdict[1]), ("family", verdict[2]),
                        ("chain", verdict[3]), ("body", verdict[4]), ("kind", verdict[5]),
                    ])
            }
            options.checkpoint("store.record.after_verdicts")
        }
        try writeAccepted(of: target, evaluation)
    }

    private mutating func writeAccepted(of target: TargetID, _ evaluation: Evaluation) throws(StoreError) {
        let id: Values = [("target", .integer(target.rawValue))]
        let accepted = Set(
            evaluation.accepted.filter { $0.targetID == target }
                .map { [Value.integer($0.pinSetID.rawValue), .integer(Int64($0.count))] })
        let stored = Set(
            try database.rows("SELECT pin_set_id, count FROM verdict_accepted WHERE target_id = :target", id)
                .map(\.values))
        guard accepted != stored else { return }
        commit.topics.insert(.pinSets)
        try database.run("DELETE FROM verdict_accepted WHERE target_id = :target", id)
        for values in accepted {
            try database.run(
                """
                INSERT INTO verdict_accepted (target_id, pin_set_id, count) VALUES (:target, :pin_set, :count)
                ON CONFLICT DO NOTHING
                """, id + [("pin_set", values[0]), ("count", values[1])])
        }
    }
}

extension StoredVerdict {
    /// The row apart from the target.
    fileprivate var key: [Value] {
        [
            .integer(pinSetID.rawValue), .address(address), .family(family), .digest(chain.digest),
            .text(verdict.stored.text), .text(verdict.deciding.kind.rawValue),
        ]
    }
}

extension TargetMemory {
    /// What judgement is shown of a target.
    func state(of target: Target, handshakes: [ServedHandshake]) -> TargetState {
        let addresses = runs.map { lane, run in
            AddressStatus(
                address: lane.address, profile: lane.profile, outcome: run.outcome.word, message: run.outcome.message,
                hadChain: run.chain != nil, since: run.since, lastAt: run.lastAt,
                failures: Int(run.failures))
        }
        return TargetState(
            target: target, addedAt: status.addedAt, lastScanAt: status.lastScanAt, lastChainAt: status.lastChainAt,
            failures: Int(status.failures), failingSince: status.failingSince,
            addresses: addresses.sorted {
                ($0.address?.bytes ?? [], $0.profile) < ($1.address?.bytes ?? [], $1.profile)
            },
            openSpans: spans.filter { $0.closedAt == nil }, handshakes: handshakes)
    }
}

private func < (
    left: (bytes: [UInt8], profile: HelloProfile), right: (bytes: [UInt8], profile: HelloProfile)
) -> Bool {
    left.bytes == right.bytes
        ? left.profile.rawValue < right.profile.rawValue : left.bytes.lexicographicallyPrecedes(right.bytes)
}

extension Database {
    /// Every target of a host: the configured ones, and those that were removed and are still in the history.
    func targets(of host: String) throws(StoreError) -> (live: [Target], removed: [Target]) {
        var live: [Target] = []
        var removed: [Target] = []
        for row in try rows(
            "SELECT \(Target.columns), target.removed_at FROM target WHERE host = :host ORDER BY id",
            [("host", .text(host))])
        {
            let target = try Target(row: row, at: 0)
            if try row.instantOrNil(Target.columnCount) == nil { live.append(target) } else { removed.append(target) }
        }
        return (live, removed)
    }
}
