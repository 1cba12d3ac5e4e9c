/// How the candidate may come to be served, as far as one trust store can tell.
struct PreflightCases {
    enum Served {
        /// In these ways, and no other.
        case ways([PreflightHypothesis])
        /// Under whichever issuer, of whose root these may be the places.
        case anyIssuer(CertificateSummary, [AnchorSource])
    }

    let trustStore: String
    /// What the host serves now.
    let served: [ChainAssessment]
    /// `nil` where the trust store is not known.
    private(set) var candidate: Served?
    private(set) var assumed: [String] = []

    private let question: PreflightQuestion
    private let today: PreflightKnowledge.Today

    init(_ question: PreflightQuestion, _ knowledge: PreflightKnowledge, trustStore: String) throws {
        self.question = question
        self.trustStore = trustStore
        today = try knowledge.today(trustStore)
        switch today {
        case .chains(let chains): served = chains
        case .issuers: served = []
        }
        switch question.candidate {
        case .key(let key): take(key)
        case .chain(let certificates):
            let isWhole = question.isWhole || certificates.count > 1
            // The handshake's own limit of entries; what is beyond is no issuer to path building either.
            let issuers = isWhole ? [] : knowledge.issuers.prefix(63).filter { $0 != certificates.first }
            guard var assessment = try knowledge.assess(certificates + issuers, trustStore) else { return }
            // One of the name that did not issue it is no fault of the certificate's.
            if assessment.paths.isEmpty, !issuers.isEmpty {
                assessment = try knowledge.assess(certificates, trustStore) ?? assessment
            }
            take(assessment, isWhole: isWhole)
        }
    }

    private mutating func take(_ assessment: ChainAssessment, isWhole: Bool) {
        guard !isWhole, let leaf = assessment.leaf else {
            candidate = .ways([PreflightHypothesis(seen: assessment)])
            return
        }
        if assessment.code == .missingIssuer {
            candidate = .anyIssuer(leaf, [.system, .given])
            assumed.append(
                "No issuer of \(leaf.shortName) is at hand\(leaf.issuer.map { " (\($0))" } ?? ""); it is taken to be "
                    + "signed by an authority that devices trust, and sent with it.")
            return
        }
        let stray = Set(assessment.stray)
        let sent = assessment.certificates.enumerated()
            .filter { $0.offset == 0 || !stray.contains($0.element.fingerprint) }.map(\.element)
        if sent.count > 1, !assessment.paths.isEmpty {
            let names = sent.dropFirst().map(\.shortName).joined(separator: ", ")
            assumed.append("The certificate is sent with its issuer's, as is at hand today: \(names).")
        }
        candidate = .ways([
            PreflightHypothesis(
                seen: ChainAssessment(
                    chain: assessment.chain, trustStore: assessment.trustStore, certificates: sent,
                    paths: assessment.paths, code: assessment.code, reason: assessment.reason, stray: [],
                    missingIssuer: assessment.missingIssuer))
        ])
    }

    private mutating func take(_ key: CandidateKey) {
        let name = key.subject ?? served.lazy.compactMap { $0.leaf?.subject }.first ?? "CN=" + question.reference.text
        let leaf = SyntheticCertificate.leaf(of: key, named: name, for: question.reference, now: question.now)
        let ways = issuedAsToday(leaf)
        guard let first = ways.first else {
            candidate = .anyIssuer(leaf, [.system])
            assumed.append(
                "No certificate exists for this key yet; it is taken to name \(question.reference.text), to have just "
                    + "been issued as \(name), and to come from any authority that devices trust.")
            return
        }
        candidate = .ways(ways)
        let issuers = ways.count == 1 ? "the issuer that" : "one of the \(ways.count) issuers that"
        assumed.append(
            "No certificate exists for this key yet; it is taken to name \(question.reference.text), to have just been "
                + "issued as \(name), and to come from \(issuers) \(question.reference.text) has now, such as "
                + "\(first.issuer).")
    }

    /// Once for each way that today's issuers lead to anchors.
    private func issuedAsToday(_ leaf: CertificateSummary) -> [PreflightHypothesis] {
        let (all, replaced): ([ChainAssessment], Int) =
            switch today {
            case .chains(let chains): (chains, 1)
            case .issuers(let issuers): (issuers, 0)
            }
        var seen: Set<[SHA256Digest]> = []
        return all.compactMap { PreflightHypothesis(leaf, under: $0, replacing: replaced) }
            .filter { seen.insert($0.assessment.paths.flatMap { $0.members.map(\.fingerprint) }).inserted }
    }
}
