internal import PinwatchCore

extension TargetCondition {
    /// Ascending is better to worse, with what is not known between well and warned.
    var storedRank: Int64 {
        switch self {
        case .ok: 0
        case .unknown: 1
        case .warning: 2
        case .critical: 3
        }
    }

    init?(storedRank: Int64) {
        guard let condition = Self.allCases.first(where: { $0.storedRank == storedRank }) else { return nil }
        self = condition
    }
}

extension Recording {
    /// Writes how a target stands, if that changed.
    ///
    /// The worst open finding decides. Without one that warns, a target that has stopped answering, or never has, is
    /// `unknown`. Findings about the host as a whole count for each of its targets.
    mutating func writeStanding(of state: TargetState, findings: [Finding]) throws(StoreError) {
        let mine = findings.filter { $0.targetID == nil || $0.targetID == state.target.id }
        let critical = mine.count { $0.severity == .critical }
        let warning = mine.count { $0.severity == .warning }
        let stale =
            state.failures >= policy.thresholds.failingAfter
            || mine.contains { $0.stale || $0.kind == .scanStale }
        let condition: TargetCondition =
            if critical > 0 {
                .critical
            } else if warning > 0 {
                .warning
            } else {
                stale || state.lastChainAt == nil ? .unknown : .ok
            }
        let leaf = try leaf(of: state)
        let addresses = Set(state.openSpans.flatMap(\.servings).filter(\.current).map(\.address)).count
        let values: Values = [
            ("target", .integer(state.target.id.rawValue)), ("condition", .integer(condition.storedRank)),
            ("stale", .flag(stale)), ("critical", .integer(Int64(critical))), ("warning", .integer(Int64(warning))),
            ("info", .integer(Int64(mine.count - critical - warning))), ("addresses", .integer(Int64(addresses))),
            ("leaf", .optional(leaf?.sha256.bytes)), ("ends", .integer(leaf?.endsAt?.unixSeconds ?? .max)),
            ("scanned", .flag(state.lastScanAt != nil)), ("failing", .flag(state.failures > 0)),
        ]
        let known = try database.row(
            """
            SELECT target_id, condition, stale, critical, warning, info, addresses, leaf, leaf_ends_at, scanned,
              failing
            FROM target_standing WHERE target_id = :target
            """, [values[0]])
        guard known?.values != values.map(\.value) else { return }
        try database.run(
            """
            UPDATE target_standing SET condition = :condition, stale = :stale, critical = :critical,
              warning = :warning, info = :info, addresses = :addresses, leaf = :leaf, leaf_ends_at = :ends,
              scanned = :scanned, failing = :failing
            WHERE target_id = :target
            """, values)
        commit.topics.insert(.targets)
        options.checkpoint("store.record.after_standing")
    }

    /// The leaf that most addresses serve now; of equals the one served for longest.
    private func leaf(of state: TargetState) throws(StoreError) -> (sha256: SHA256Digest, endsAt: Instant?)? {
        var best: (chain: ChainID, addresses: Int)?
        for span in state.openSpans {
            let count = Set(span.servings.filter(\.current).map(\.address)).count
            if count > best?.addresses ?? 0 { best = (span.chain, count) }
        }
        guard let best else { return nil }
        let found = try database.row(
            """
            SELECT certificate.sha256, certificate.not_after_at
            FROM chain_certificate link JOIN certificate ON certificate.sha256 = link.sha256
            WHERE link.chain_id = :chain AND link.position = 0
            """, [("chain", .digest(best.chain.digest))])
        guard let row = found else { return nil }
        return (try row.digest(0), try row.instantOrNil(1))
    }
}
