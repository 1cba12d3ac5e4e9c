/// What every release makes of everything that a target serves now: releases down, chains across.
package struct ReleaseMatrix: Sendable {
    /// One served chain.
    package struct Column: Sendable {
        package let family: KeyFamily?
        /// Fingerprints in the order sent; empty where the chain could not be judged.
        package let chain: [SHA256Digest]
        /// Of the leaf.
        package let spki: SHA256Digest?
        /// In ascending order.
        package let addresses: [IPAddress]
        /// Of the leaf.
        package let notAfter: Instant?
    }

    /// One release.
    package struct Row: Sendable {
        package let pinSet: PinSet
        /// When it is certain to stop accepting what is served, or to stop pinning.
        package let runsOut: Upcoming?
        /// In the order of the columns.
        package let cells: [ReleaseVerdict]
    }

    /// In the order of their first addresses.
    package let columns: [Column]
    /// Releases that say something of the host, in the order of the pin sets.
    package let rows: [Row]

    /// - Parameter assess: As for ``Evaluator``.
    package init(
        of state: TargetState, policy: EvaluationPolicy, now: Instant,
        assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows {
        var memory = AssessmentMemory()
        let view = try TargetView(state, policy: policy, now: now, memory: &memory, assess: assess)
        columns = view.chains.map { chain in
            Column(
                family: chain.family, chain: chain.assessment?.certificates.map(\.fingerprint) ?? [],
                spki: chain.leaf?.spki, addresses: chain.addresses, notAfter: chain.leaf?.notAfter)
        }
        rows = view.releases.compactMap { release in
            let cells = view.chains.compactMap { release.verdicts[$0.id] }
            guard release.pinsHost || cells.contains(where: \.saysSomethingOfHost) else { return nil }
            return Row(pinSet: release.pinSet, runsOut: view.runOut(release), cells: cells)
        }
    }
}
