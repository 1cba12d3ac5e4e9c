/// `certificate.expiry` and `certificate.not_yet_valid`: the dates of a served leaf, and of nothing above it.
enum CertificateExpiryRule {
    static func findings(_ view: TargetView) -> [Finding] {
        leaves(view).compactMap { expiry($0.leaf, $0.chains, view) }
            + leaves(view).compactMap { notYetValid($0.leaf, $0.chains, view) }
    }

    /// Each leaf with the chains that it comes in, in the order of the chains.
    static func leaves(_ view: TargetView) -> [(leaf: CertificateSummary, chains: [ServedChain])] {
        var leaves: [(leaf: CertificateSummary, chains: [ServedChain])] = []
        for chain in view.chains {
            guard let leaf = chain.leaf else { continue }
            if let known = leaves.firstIndex(where: { $0.leaf.fingerprint == leaf.fingerprint }) {
                leaves[known].chains.append(chain)
            } else {
                leaves.append((leaf, [chain]))
            }
        }
        return leaves
    }

    private static func expiry(_ leaf: CertificateSummary, _ chains: [ServedChain], _ view: TargetView) -> Finding? {
        guard let end = leaf.notAfter,
            let stage = leaf.stageLimits(view.thresholds).stage(end: end, now: view.now)
        else { return nil }
        let verb = stage == .expired ? "ended" : "ends"
        return view.finding(
            .certificateExpiry, part: leaf.fingerprint.hex, stage: stage, severity: stage.severity,
            summary: "The certificate of \(view.label) \(verb) on \(Wording.day(end)); it is served "
                + "\(view.addresses(of: chains)).",
            nextStep: stage == .expired
                ? "Renew the certificate now: clients refuse it."
                : "Renew the certificate, and see why its renewal is late if it is automatic.",
            evidence: evidence(leaf, chains))
    }

    private static func notYetValid(
        _ leaf: CertificateSummary, _ chains: [ServedChain], _ view: TargetView
    ) -> Finding? {
        guard let start = leaf.notBefore, view.now < start else { return nil }
        return view.finding(
            .certificateNotYetValid, part: leaf.fingerprint.hex, severity: .critical,
            summary: "The certificate of \(view.label) is not valid before \(start.rfc3339 ?? Wording.day(start)); it "
                + "is served \(view.addresses(of: chains)).",
            nextStep: "Serve the certificate that it replaces until then, or check the clock of whoever issued it.",
            evidence: evidence(leaf, chains))
    }

    private static func evidence(_ leaf: CertificateSummary, _ chains: [ServedChain]) -> JSON {
        .object([
            ("sha256", .string(leaf.fingerprint.hex)), ("spki", .text(leaf.spki?.pin)),
            ("not_before", .time(leaf.notBefore)), ("not_after", .time(leaf.notAfter)),
            ("addresses", .addresses(Set(chains.flatMap(\.addresses)).sorted())),
        ])
    }
}
