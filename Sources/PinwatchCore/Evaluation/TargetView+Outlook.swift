extension TargetView {
    /// What is not accepted, one row for each place; a host that nobody meant to pin is neither stored nor counted.
    var storedVerdicts: [StoredVerdict] {
        releases.flatMap { release in
            chains.flatMap { chain -> [StoredVerdict] in
                guard let verdict = release.verdicts[chain.id], verdict.isKept else { return [] }
                return chain.addresses.map { address in
                    StoredVerdict(
                        pinSetID: release.pinSet.id, targetID: target.id, address: address, family: chain.family,
                        chain: chain.id, verdict: verdict)
                }
            }
        }
    }

    var acceptedCounts: [Evaluation.AcceptedCount] {
        releases.compactMap { release in
            let count = chains.reduce(0) { sum, chain in
                sum + (release.kind(of: chain.id) == .accept ? chain.addresses.count : 0)
            }
            guard count > 0 else { return nil }
            return Evaluation.AcceptedCount(pinSetID: release.pinSet.id, targetID: target.id, count: count)
        }
    }

    /// The leaf that ends first, and a needed intermediate that ends before its own leaf.
    var upcoming: [Upcoming] {
        var upcoming: [Upcoming] = []
        if let end = chains.compactMap({ $0.leaf?.notAfter }).filter({ $0 >= now }).min() {
            upcoming.append(item(.certificate, end, "leaf certificate ends"))
        }
        let intermediates = chains.flatMap { chain in
            ChainExpiryRule.needed(by: chain).compactMap(\.notAfter).filter { end in
                end >= now && (chain.leaf?.notAfter.map { end < $0 } ?? true)
            }
        }
        if let end = intermediates.min() { upcoming.append(item(.chain, end, "intermediate certificate ends")) }
        return upcoming + releases.compactMap(runOut)
    }

    /// The day on which a release runs out.
    func runOut(_ release: JudgedRelease) -> Upcoming? {
        release.runsOut.map { end in
            Upcoming(
                kind: .release, endsAt: end.at, targetID: target.id, pinSetID: release.pinSet.id,
                subject: "\(release.pinSet.identity.label) on \(label)", summary: end.summary,
                share: release.pinSet.definition.share)
        }
    }

    private func item(_ kind: Upcoming.Kind, _ end: Instant, _ summary: String) -> Upcoming {
        Upcoming(kind: kind, endsAt: end, targetID: target.id, pinSetID: nil, subject: label, summary: summary)
    }

    /// Every instant at which a rule may answer otherwise though nothing is observed, past ones included.
    var changes: [Instant] {
        var changes = ScanFailingRule.changes(self) + PinAtRiskRule.changes(self)
        if let limit = ScanStaleRule.limit(self) { changes.append(limit + 1) }
        for chain in chains {
            for certificate in chain.members + [chain.leaf].compactMap({ $0 }) {
                if let start = certificate.notBefore { changes.append(start) }
                if let end = certificate.notAfter { changes.append(end + 1) }
            }
            for dated in [chain.leaf].compactMap({ $0 }) + ChainExpiryRule.needed(by: chain) {
                guard let end = dated.notAfter else { continue }
                changes += dated.stageLimits(thresholds).changes(end: end)
            }
        }
        for release in releases {
            changes += release.pinSet.definition.layers.flatMap { $0.policy.expiries }.map { $0.at + 1 }
        }
        return changes
    }
}

extension ReleaseVerdict {
    fileprivate var isKept: Bool {
        switch deciding.kind {
        case .accept, .notEvaluated: false
        case .unpinned: deciding.by == .trap
        case .acceptReport, .rejectPin, .rejectChain, .configError, .dependsOnPath, .unknown: true
        }
    }
}
