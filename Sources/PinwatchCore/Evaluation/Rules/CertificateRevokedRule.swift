/// `certificate.revoked`: a served leaf that its issuer has revoked, by an answer that was verified.
///
/// Clients differ: some ask, some go by lists that their vendor hands out, most do not look. So it says nothing of which
/// apps refuse it, only that the issuer has taken it back.
enum CertificateRevokedRule {
    static func findings(_ view: TargetView) -> [Finding] {
        CertificateExpiryRule.leaves(view).compactMap { leaf, chains in
            view.state.revoked[leaf.fingerprint].map { finding(leaf, chains, $0, view) }
        }
    }

    private static func finding(
        _ leaf: CertificateSummary, _ chains: [ServedChain], _ revocation: Revocation, _ view: TargetView
    ) -> Finding {
        let day = revocation.answer?.revokedAt.map { " on \(Wording.day($0))" } ?? ""
        let why = revocation.answer?.reason?.words.map { ": \($0)" } ?? ""
        let source = revocation.source.map { ", says \($0.words)" } ?? ""
        let addresses = Set(chains.flatMap(\.addresses)).sorted()
        var finding = view.finding(
            .certificateRevoked, part: leaf.fingerprint.hex, severity: .critical,
            summary: "The certificate of \(view.label) was revoked\(day)\(source)\(why). It is served "
                + "\(view.addresses(of: chains)).",
            nextStep: revocation.answer?.reason?.isAboutKey == true
                ? "Serve another certificate with a new key now, and take the old key out of the pins: others may have it."
                : "Serve another certificate now: clients that ask refuse this one. Its key may stay if it is still secret.",
            evidence: .object([
                ("sha256", .string(leaf.fingerprint.hex)), ("spki", .text(leaf.spki?.pin)),
                ("serial", .text(leaf.serial)), ("issuer", .text(leaf.issuer)), ("revocation", revocation.json),
                ("addresses", .addresses(addresses)),
            ]))
        finding.scope = Scope(affected: addresses.count, of: view.addressCount)
        return finding
    }
}

extension RevocationReason {
    /// After a colon; `nil` where the reason says nothing.
    fileprivate var words: String? {
        switch self {
        case .unspecified: nil
        case .keyCompromise: "its key is in other hands"
        case .caCompromise: "its authority's key is in other hands"
        case .affiliationChanged: "what it says of its owner is no longer so"
        case .superseded: "another has taken its place"
        case .cessationOfOperation: "what it was made for has ended"
        case .certificateHold: "it is on hold"
        case .privilegeWithdrawn: "its owner may use it no longer"
        case .aaCompromise: "an attribute authority's key is in other hands"
        }
    }

    fileprivate var isAboutKey: Bool { self == .keyCompromise }
}
