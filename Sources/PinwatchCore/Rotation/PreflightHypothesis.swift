/// One way in which a candidate may come to be served, with all that clients would see.
struct PreflightHypothesis {
    let assessment: ChainAssessment
    /// Who issues the certificate, to follow "issued by" in a sentence.
    let issuer: String
    /// Whether anything of it is made up.
    let isHypothetical: Bool

    /// Exactly what was assessed.
    init(seen assessment: ChainAssessment) {
        self.assessment = assessment
        issuer = "its issuer"
        isHypothetical = false
    }

    /// A leaf under the issuers of what is served, or under issuers that are at hand; `nil` if they lead to no anchor.
    ///
    /// - Parameter count: How many certificates of the assessment stand for the leaf: 1 for a served chain, else 0.
    init?(_ leaf: CertificateSummary, under today: ChainAssessment, replacing count: Int) {
        let paths = today.paths.compactMap { path -> Path? in
            let above = Array(path.certificates.dropFirst(count))
            // A leaf that is its own anchor has no issuer to take.
            guard count == 0 || path.members.count > 1 else { return nil }
            // A server's own certificate issues nothing, though it may stand in the file of issuers.
            guard above.allSatisfy({ count == 0 ? $0.isCA == true : $0.isCA != false }) else { return nil }
            let issuers = above.last?.fingerprint == path.anchor.fingerprint ? Array(above.dropLast()) : above
            return Path(
                certificates: [leaf] + issuers, anchor: path.anchor, source: path.source, anchored: path.anchored)
        }
        let members = paths.flatMap(\.members)
        let sent = today.certificates.dropFirst(count).filter { sent in
            members.contains { $0.fingerprint == sent.fingerprint }
        }
        guard let first = paths.first, first.members.count > 1 else { return nil }
        var leaf = leaf
        leaf.issuer = first.members[1].subject
        leaf.issuerDER = first.members[1].subjectDER
        self.init(
            [leaf] + sent,
            paths: paths.map {
                Path(
                    certificates: [leaf] + $0.certificates.dropFirst(), anchor: $0.anchor, source: $0.source,
                    anchored: $0.anchored)
            }, trustStore: today.trustStore, issuer: first.members[1].shortName)
    }

    /// A leaf under authorities of which at most their pins are known, lowest first, and a root that devices trust.
    init(
        _ leaf: CertificateSummary, under authorities: [CertificateSummary], source: AnchorSource = .system,
        trustStore: String, issuer: String, now: Instant
    ) {
        var (issuers, root) = (authorities, authorities.last)
        if root?.isSelfIssued ?? false {
            issuers.removeLast()
        } else {
            root = nil
        }
        let name = authorities.last?.issuerDER ?? leaf.issuerDER ?? []
        let anchor = root ?? SyntheticCertificate.authority(named: name, number: authorities.count, now: now)
        let path = Path(certificates: [leaf] + issuers, anchor: anchor, source: source)
        self.init([leaf] + issuers, paths: [path], trustStore: trustStore, issuer: issuer)
    }

    private init(_ sent: [CertificateSummary], paths: [Path], trustStore: String, issuer: String) {
        let isWeak = sent[0].key?.isWeak ?? false
        assessment = ChainAssessment(
            chain: ChainID(digest: sent[0].fingerprint), trustStore: trustStore, certificates: sent,
            paths: isWeak ? [] : paths, code: isWeak ? .weak : .ok,
            reason: isWeak
                ? "The certificate's key is too weak: \(sent[0].key?.type ?? "") of \(sent[0].key?.bits ?? 0) bits."
                : "The chain is taken to lead to an anchor.",
            stray: [], missingIssuer: nil)
        self.issuer = issuer
        isHypothetical = true
    }
}

extension PreflightHypothesis {
    /// The most pins of a host that are tried as its issuer's.
    static let pinLimit = 64

    /// Every issuer that may matter to a release: one that no pin matches, each that a pin may stand for, and, where
    /// several layers must all accept, one for each layer on the same path.
    ///
    /// - Parameter sources: Where the root is taken to be from: rules for public roots bind those alone.
    static func issuers(
        of leaf: CertificateSummary, for definition: PinSetDefinition, sources: [AnchorSource], trustStore: String,
        _ question: PreflightQuestion
    ) -> [PreflightHypothesis] {
        let (now, name) = (question.now, leaf.issuerDER ?? [])
        let unpinned = SyntheticCertificate.authority(named: name, number: 0, now: now)
        var found = sources.map { source in
            PreflightHypothesis(
                leaf, under: [unpinned], source: source, trustStore: trustStore,
                issuer: source == .system ? "an authority that no pin matches" : "a private authority", now: now)
        }
        var joint: [CertificateSummary] = []
        for (place, layer) in definition.layers.enumerated() {
            let pins = layer.policy.pins(for: question.host, now: now).filter { !layer.policy.pin($0, matches: leaf) }
            let authorities = pins.prefix(pinLimit).compactMap { pin in
                SyntheticCertificate.authority(of: pin, named: name, number: place + 1, now: now).map { (pin, $0) }
            }
            for (pin, authority) in authorities {
                found.append(
                    PreflightHypothesis(
                        leaf, under: [authority], source: sources[0], trustStore: trustStore,
                        issuer: "the authority that \(pin.text) stands for", now: now))
            }
            if let first = authorities.first?.1, !joint.contains(where: { $0.fingerprint == first.fingerprint }) {
                joint.append(first)
            }
        }
        if joint.count > 1 {
            found.append(
                PreflightHypothesis(
                    leaf, under: joint.sorted { !$0.isSelfIssued && $1.isSelfIssued }, source: sources[0],
                    trustStore: trustStore, issuer: "authorities that pins of every layer stand for", now: now))
        }
        return found
    }
}

extension PublicKeySummary {
    /// Below what plain validation takes: 112 bits of security (SSL_CTX_set_security_level(3), level 2).
    fileprivate var isWeak: Bool {
        guard let bits else { return false }
        switch type {
        case "RSA", "RSA-PSS", "DSA": return bits < 2_048
        case "EC": return bits < 224
        default: return false
        }
    }
}
