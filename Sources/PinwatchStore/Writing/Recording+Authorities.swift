internal import PinwatchCore

/// Which targets are on an authority that no trust store vouches for, and since when.
extension Recording {
    /// Brings the rows of a host's targets in line with what they serve now; the authorities that a target came to are
    /// candidates for a suspicion.
    mutating func followAuthorities(of host: String) throws(StoreError) {
        for target in try database.targets(of: host).live {
            guard let memory = try memory(of: target.id) else { continue }
            touched[target.id] = memory
            let serving = try typed {
                try UnknownAuthority.serving(memory.spans) { try assessment($0, target.settings.trustStore) }
            }
            let known = try database.authority(of: target.id)
            guard known != serving?.authority.key else { continue }
            guard let serving else {
                try database.run(
                    "DELETE FROM target_authority WHERE target_id = :target",
                    [("target", .integer(target.id.rawValue))])
                continue
            }
            let servedElse = try servedElse(than: serving.chains, target.id)
            let moved = known != nil || serving.authority.product != nil || servedElse
            try keep(serving.authority, of: target, since: since(serving.chains, target.id, memory), moved: moved)
            candidates[serving.authority.key] = serving.authority.name
            options.checkpoint("store.record.after_authority")
        }
    }

    /// When the target came to it: now, if this recording saw it change, for a span that opens again began long ago;
    /// otherwise only the judgement has changed, and what is served is as old as it is.
    private func since(_ chains: Set<ChainID>, _ target: TargetID, _ memory: TargetMemory) -> Instant {
        if shifted.contains(target) { return memory.status.lastScanAt ?? now }
        return memory.spans.filter { $0.closedAt == nil && chains.contains($0.chain) }.map(\.firstSeen).min() ?? now
    }

    private func servedElse(than chains: Set<ChainID>, _ target: TargetID) throws(StoreError) -> Bool {
        let list = NamedList("chain", chains.map { .digest($0.digest) })
        return try database.row(
            "SELECT 1 FROM span WHERE target_id = :target AND chain_id NOT IN \(list.sql) LIMIT 1",
            [("target", .integer(target.rawValue))] + list.values) != nil
    }

    private func keep(
        _ authority: UnknownAuthority, of target: Target, since: Instant, moved: Bool
    ) throws(StoreError) {
        try database.run(
            """
            INSERT INTO target_authority (target_id, authority, domain, since_at, moved)
            VALUES (:target, :authority, :domain, :since, :moved)
            ON CONFLICT (target_id) DO UPDATE SET authority = excluded.authority, domain = excluded.domain,
              since_at = excluded.since_at, moved = excluded.moved
            """,
            [
                ("target", .integer(target.id.rawValue)), ("authority", .text(authority.key)),
                ("domain", .text(Vantage.domain(of: target.identity, suffixes: options.suffixes) ?? "")),
                ("since", .at(since)), ("moved", .flag(moved)),
            ])
    }
}

extension Database {
    fileprivate func authority(of target: TargetID) throws(StoreError) -> String? {
        try row(
            "SELECT authority FROM target_authority WHERE target_id = :target",
            [("target", .integer(target.rawValue))])?.text(0)
    }

    /// What the targets on an authority come to; `nil` where it is not new, or too few domains are on it.
    func group(on authority: String, windowSeconds: Int64, now: Instant) throws(StoreError) -> Vantage.Group? {
        let key: Values = [("authority", .text(authority))]
        let first = try row("SELECT min(since_at) FROM target_authority WHERE authority = :authority", key)
        guard let firstAt = try first?.instantOrNil(0), now.seconds(since: firstAt) <= windowSeconds else { return nil }
        let domains = try rows(
            """
            SELECT DISTINCT domain FROM target_authority WHERE authority = :authority AND moved = 1
            LIMIT \(Vantage.fewestDomains)
            """, key
        ).count
        guard domains >= Vantage.fewestDomains else { return nil }
        let moved = try number(
            "SELECT count(*) FROM target_authority WHERE authority = :authority AND moved = 1", key)
        let answered = try number(
            "SELECT count(*) FROM target_status WHERE last_chain_at >= :first", [("first", .at(firstAt))])
        return Vantage.Group(firstAt: firstAt, moved: Int(moved), domains: domains, answered: Int(answered))
    }

    /// The host's targets that are on an authority whose suspicion is active, and since when each is.
    func suspects(of host: String) throws(StoreError) -> [TargetID: Instant] {
        var found: [TargetID: Instant] = [:]
        for row in try rows(
            """
            SELECT target.id, on_it.since_at FROM target
            CROSS JOIN target_authority on_it ON on_it.target_id = target.id
            CROSS JOIN suspicion ON suspicion.authority = on_it.authority
            WHERE target.host = :host AND suspicion.active = 1
            """, [("host", .text(host))])
        {
            found[TargetID(try row.integer(0))] = try row.instant(1)
        }
        return found
    }
}
