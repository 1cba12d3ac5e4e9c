/// `interception.suspected`: a product that reads connections on their way issued what is served here.
///
/// See ``InspectionProduct/behind(_:)`` for what counts. A key that a release of ours pins and accepts is meant to be
/// there, whoever issued it; what a debug build accepts says nothing, since those are made to be read by such tools.
enum InterceptionSuspectedRule {
    static func findings(_ view: TargetView) -> [Finding] {
        let read = view.chains.compactMap { chain -> (chain: ServedChain, product: InspectionProduct)? in
            guard let assessment = chain.assessment, let product = InspectionProduct.behind(assessment),
                !view.releases.contains(where: { $0.means(chain.id) })
            else { return nil }
            return (chain, product)
        }
        guard let product = read.first?.product else { return [] }
        let chains = read.map(\.chain)
        var finding = view.finding(
            .interceptionSuspected, severity: .critical,
            summary: "Something between Pinwatch and \(view.label) reads the connection \(view.addresses(of: chains)): "
                + "\(product.name), \(product.place.words), issues the certificate that is served.",
            nextStep: product.place.nextStep,
            evidence: .object([
                ("products", .strings(Set(read.map(\.product.name)).sorted())),
                ("issuers", .few(chains.flatMap(issuers).map { .string($0) })),
                ("served", .few(chains.map(\.evidence))),
            ]))
        finding.scope = Scope(affected: Set(chains.flatMap(\.places)).count, of: view.placeCount)
        return [finding]
    }

    private static func issuers(of chain: ServedChain) -> [String] {
        (chain.assessment?.lineage ?? []).compactMap(\.issuer).map { Wording.clause($0) }
    }
}

extension JudgedRelease {
    /// Whether users of the release are meant to get a chain: a release build compares pins with it and accepts.
    fileprivate func means(_ chain: ChainID) -> Bool {
        guard pinSet.identity.variant == .release, let verdict = verdicts[chain]?.deciding else { return false }
        return verdict.kind == .accept && verdict.code != "no_pins_compared"
    }
}

extension InspectionProduct.Place {
    var words: String {
        switch self {
        case .debugging: "a debugging proxy"
        case .gateway: "a gateway that inspects a company's traffic"
        case .machine: "a virus scanner or filter of a single computer"
        }
    }

    fileprivate var nextStep: String {
        let meanwhile = " Until then nothing is known of the certificates that users are served."
        switch self {
        case .debugging: return "Find the proxy between this machine and the host, and stop it." + meanwhile
        case .gateway:
            return "Have the gateway let this machine's connections through unread, or run Pinwatch where it does not "
                + "stand in between." + meanwhile
        case .machine: return "Turn off its reading of encrypted connections on this machine." + meanwhile
        }
    }
}
