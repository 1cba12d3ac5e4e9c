/// `chain.expiry`: a served intermediate that the verified path needs. A trust store's own root never counts, nor does
/// a certificate that is sent and not needed.
enum ChainExpiryRule {
    static func findings(_ view: TargetView) -> [Finding] {
        var found: [Finding] = []
        for chain in view.chains {
            for intermediate in needed(by: chain) {
                guard let end = intermediate.notAfter,
                    let stage = intermediate.stageLimits(view.thresholds).stage(end: end, now: view.now),
                    !found.contains(where: { $0.key.hasSuffix("/" + intermediate.fingerprint.hex) })
                else { continue }
                found.append(finding(intermediate, end: end, stage, view))
            }
        }
        return found
    }

    /// The served intermediates of the path that holds longest: a chain is as good as its best path.
    static func needed(by chain: ServedChain) -> [CertificateSummary] {
        let served = Set(chain.assessment?.certificates.map(\.fingerprint) ?? [])
        var best: (end: Instant, intermediates: [CertificateSummary])?
        for path in chain.verification?.paths ?? [] {
            let intermediates = path.certificates.dropFirst().filter { $0.fingerprint != path.anchor.fingerprint }
            let end = intermediates.compactMap(\.notAfter).min() ?? Instant(unixSeconds: .max)
            if best.map({ end > $0.end }) ?? true { best = (end, Array(intermediates)) }
        }
        return best?.intermediates.filter { served.contains($0.fingerprint) } ?? []
    }

    private static func finding(
        _ intermediate: CertificateSummary, end: Instant, _ stage: Stage, _ view: TargetView
    ) -> Finding {
        let chains = view.chains.filter { chain in
            needed(by: chain).contains { $0.fingerprint == intermediate.fingerprint }
        }
        return view.finding(
            .chainExpiry, part: intermediate.fingerprint.hex, stage: stage, severity: stage.severityOfIssuer,
            summary: "The intermediate \(intermediate.shortName) of \(view.label) "
                + "\(stage == .expired ? "ended" : "ends") on \(Wording.day(end)); the verified path needs it "
                + "\(view.addresses(of: chains)).",
            nextStep: "Serve the chain that the authority gives out now; a renewal usually brings it.",
            evidence: .object([
                ("sha256", .string(intermediate.fingerprint.hex)), ("spki", .text(intermediate.spki?.pin)),
                ("subject", .text(intermediate.subject)), ("not_after", .time(end)),
                ("addresses", .addresses(Set(chains.flatMap(\.addresses)).sorted())),
            ]))
    }
}
