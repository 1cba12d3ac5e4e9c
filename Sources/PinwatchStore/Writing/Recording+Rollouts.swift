internal import PinwatchCore

extension Recording {
    /// Follows rollouts through what a scan changed, and tells where they begin and end.
    mutating func followRollouts(
        _ transitions: [ChainTransition], of scan: Scan, _ memory: inout TargetMemory
    ) throws(StoreError) {
        let updates = RolloutBook.updates(
            transitions, standing: memory.rollouts, spans: memory.spans, at: scan.endedAt)
        guard !updates.isEmpty else { return }
        for update in updates {
            memory.rollouts.removeAll { $0.from == update.rollout.from && $0.to == update.rollout.to }
            if update.step.ends {
                try database.forget(update.rollout, of: scan.target.id)
            } else {
                memory.rollouts.append(update.rollout)
                try database.keep(update.rollout, of: scan.target.id)
            }
        }
        let found = try typed {
            try RolloutJudge.events(
                for: updates, of: scan.target, now: scan.endedAt, assess: { try assessment($0, $1) })
        }
        if !found.isEmpty { try tell(found, target: scan.target) }
    }
}

extension Database {
    func rollouts(of target: TargetID) throws(StoreError) -> [Rollout] {
        var found: [Rollout] = []
        for row in try rows(
            """
            SELECT from_chain, to_chain, started_at, moved, addresses FROM rollout WHERE target_id = :target
            ORDER BY started_at, from_chain, to_chain
            """, [("target", .integer(target.rawValue))])
        {
            found.append(
                Rollout(
                    from: ChainID(digest: try row.digest(0)), to: ChainID(digest: try row.digest(1)),
                    startedAt: try row.instant(2), moved: try row.whole(3), of: try row.whole(4)))
        }
        return found
    }

    fileprivate func keep(_ rollout: Rollout, of target: TargetID) throws(StoreError) {
        try run(
            """
            INSERT INTO rollout (target_id, from_chain, to_chain, started_at, moved, addresses)
            VALUES (:target, :from, :to, :started, :moved, :addresses)
            ON CONFLICT (target_id, from_chain, to_chain) DO UPDATE SET moved = excluded.moved,
              addresses = excluded.addresses
            """,
            key(rollout, target) + [
                ("started", .at(rollout.startedAt)), ("moved", .integer(Int64(rollout.moved))),
                ("addresses", .integer(Int64(rollout.of))),
            ])
    }

    fileprivate func forget(_ rollout: Rollout, of target: TargetID) throws(StoreError) {
        try run(
            "DELETE FROM rollout WHERE target_id = :target AND from_chain = :from AND to_chain = :to",
            key(rollout, target))
    }

    private func key(_ rollout: Rollout, _ target: TargetID) -> Values {
        [
            ("target", .integer(target.rawValue)), ("from", .digest(rollout.from.digest)),
            ("to", .digest(rollout.to.digest)),
        ]
    }
}
