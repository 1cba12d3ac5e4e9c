/// `chain.invalid`, `chain.incomplete` and `hostname.mismatch`: plain validation refuses what a key family's lane serves.
///
/// A date that another finding tells of is not told again here.
enum ChainFaultRule {
    static func findings(_ view: TargetView) -> [Finding] {
        var families: [KeyFamily?] = []
        for chain in view.chains where !families.contains(chain.family) { families.append(chain.family) }
        return families.flatMap { family in
            let lane = view.chains.filter { $0.family == family }
            return [
                invalid(lane.filter { isInvalid($0, at: view.now) }, family, view),
                incomplete(lane.filter(isIncomplete), family, view),
                mismatched(lane.filter(isMismatched), family, view),
            ].compactMap { $0 }
        }
    }

    /// Whether the issuer that is missing can be had where the certificate that wants it says (RFC 5280 section
    /// 4.2.2.1), as those of public authorities do. Otherwise nothing tells an intermediate that was forgotten from the
    /// root of an authority that nobody trusts, such as an intercepting proxy's, and clients refuse both.
    private static func isIncomplete(_ chain: ServedChain) -> Bool {
        guard let verification = chain.verification, verification.code == .missingIssuer else { return false }
        return verification.missingIssuer?.isFetchable ?? false
    }

    private static func isInvalid(_ chain: ServedChain, at now: Instant) -> Bool {
        guard let verification = chain.verification else { return false }
        switch verification.code {
        case .ok: return false
        case .missingIssuer: return !isIncomplete(chain)
        case .selfSigned, .untrustedRoot, .badSignature, .weak, .wrongPurpose, .unreadable: return true
        case .expired:
            let dated = ([chain.leaf].compactMap { $0 } + ChainExpiryRule.needed(by: chain)).compactMap(\.notAfter)
            return !dated.contains { now > $0 }
        case .notYetValid: return !(chain.leaf?.notBefore.map { now < $0 } ?? false)
        }
    }

    /// Names that could not be read at all are not taken for wrong ones.
    private static func isMismatched(_ chain: ServedChain) -> Bool {
        guard let verification = chain.verification, !verification.hostMatches, let leaf = chain.leaf else {
            return false
        }
        return leaf.dnsNames != nil || !leaf.unreadable.contains { $0.field == "names" }
    }

    private static func invalid(_ chains: [ServedChain], _ family: KeyFamily?, _ view: TargetView) -> Finding? {
        guard let verification = chains.first?.verification else { return nil }
        return view.finding(
            .chainInvalid, part: family.word, severity: .critical,
            summary: "Clients refuse the chain that \(view.label) serves \(view.addresses(of: chains)). "
                + Wording.sentence(verification.reason),
            nextStep:
                "Serve a chain that leads to an authority which clients trust; if nobody changed it, find out who "
                + "answers at these addresses.",
            evidence: evidence(chains, verification, more: missing(verification).map { [$0] } ?? []))
    }

    private static func incomplete(_ chains: [ServedChain], _ family: KeyFamily?, _ view: TargetView) -> Finding? {
        guard let verification = chains.first?.verification else { return nil }
        return view.finding(
            .chainIncomplete, part: family.word, severity: .warning,
            summary: "\(view.label) does not send an intermediate that clients need, \(view.addresses(of: chains))"
                + (verification.missingIssuer?.subject.map { ": \(Wording.clause($0))." } ?? ".")
                + " Some clients fetch it from the authority, many do not.",
            nextStep: verification.missingIssuer?.known.isEmpty == false
                ? "Add the missing intermediate to the chain that the server sends: it was served before, and its page "
                    + "has it as PEM."
                : "Add the missing intermediate to the chain that the server sends.",
            evidence: evidence(chains, verification, more: missing(verification).map { [$0] } ?? []))
    }

    private static func missing(_ verification: Verification) -> (String, JSON)? {
        verification.missingIssuer.map { issuer in
            let urls = JSON.few(issuer.aiaURLs.map { .string($0) })
            let known = JSON.strings(issuer.known.map(\.hex))
            return (
                "missing_issuer", .object([("subject", .text(issuer.subject)), ("aia_urls", urls), ("known", known)])
            )
        }
    }

    private static func mismatched(_ chains: [ServedChain], _ family: KeyFamily?, _ view: TargetView) -> Finding? {
        guard let first = chains.first, let verification = first.verification else { return nil }
        let names = (first.leaf?.dnsNames ?? []) + (first.leaf?.ipAddresses ?? []).map(\.description)
        let shown = names.prefix(3).map { Wording.clause($0) }.joined(separator: ", ")
        return view.finding(
            .hostnameMismatch, part: family.word, severity: .critical,
            summary: "The certificate served \(view.addresses(of: chains)) of \(view.label) does not name "
                + "\(view.target.identity.clientHost). "
                + (names.isEmpty
                    ? "It names no host at all."
                    : "It names \(shown)\(names.count > 3 ? " and \(names.count - 3) more" : "")."),
            nextStep: "Serve a certificate whose subjectAltName holds the name, or check which server answers here.",
            evidence: evidence(chains, verification, more: [("names", .few(names.map { .string($0) }))]))
    }

    private static func evidence(
        _ chains: [ServedChain], _ verification: Verification, more: [(String, JSON)] = []
    ) -> JSON {
        .object(
            [
                ("reason", .string(verification.code.rawValue)), ("detail", .string(verification.reason)),
                ("trust_store", .string(verification.trustStore)), ("served", .few(chains.map(\.evidence))),
            ] + more)
    }
}
