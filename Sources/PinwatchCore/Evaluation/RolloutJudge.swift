/// Tells the beginning and the end of rollouts; what goes on between is in findings' scopes.
package enum RolloutJudge {
    /// - Parameter assess: As for ``Evaluator``.
    package static func events(
        for updates: [RolloutUpdate], of target: Target, now: Instant,
        assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> [Event] {
        try updates.compactMap { update -> Event? in
            guard update.step != .went else { return nil }
            let rollout = update.rollout
            let store = target.settings.trustStore
            let (from, to) = (try assess(rollout.from, store), try assess(rollout.to, store))
            return Event(
                kind: update.step == .started ? .rolloutStarted : .rolloutEnded, at: now, targetID: target.id,
                subject: target.identity.label, quiet: false, summary: summary(update, target.identity.label),
                evidence: .object([
                    ("from", .side(of: from)), ("to", .side(of: to)), ("moved", .integer(Int64(rollout.moved))),
                    ("of", .integer(Int64(rollout.of))), ("started_at", .time(rollout.startedAt)),
                ]))
        }
    }

    private static func summary(_ update: RolloutUpdate, _ label: String) -> String {
        let (moved, all) = (update.rollout.moved, update.rollout.of)
        let every = all == 1 ? "1 address" : "\(all) addresses"
        switch update.step {
        case .started, .went: return "\(label) is moving to another certificate: \(moved) of \(every) serve it."
        case .finished: return "\(label) has moved to another certificate, now served on \(every)."
        case .wentBack: return "\(label) went back to the certificate that it was moving away from, on \(every)."
        case .overtaken:
            return "\(label) was moving to another certificate, and now serves neither that nor the old one."
        }
    }
}

extension JSON {
    /// One side of a change: the leaf's digests and the chain's.
    static func side(of assessment: ChainAssessment?) -> JSON {
        .object([
            ("sha256", .text(assessment?.leaf?.fingerprint.hex)), ("spki", .text(assessment?.leaf?.spki?.pin)),
            ("chain", .few((assessment?.certificates ?? []).map { .string($0.fingerprint.hex) })),
        ])
    }
}
