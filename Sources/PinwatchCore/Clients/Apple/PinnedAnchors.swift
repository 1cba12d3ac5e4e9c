/// Pinned certificates that an app makes its only trust anchors.
///
/// An anchor need not be a root, nor self-signed: Apple ends a path at the first certificate among the anchors, the leaf
/// itself included.
struct PinnedAnchors {
    /// A path that ends in a pinned certificate.
    struct Candidate {
        let path: Path
        /// Whether a link was taken by its names alone: whether the signature holds was not seen.
        let isInferred: Bool
    }

    private let certificates: [CertificateSummary]
    /// Fingerprints of certificates that are not at hand.
    private let missing: [Pin]

    /// - Parameter pins: Those that the app has loaded. A fingerprint serves if its certificate is sent or on a path.
    init(_ pins: [Pin], in presentation: Presentation) {
        var certificates: [CertificateSummary] = []
        var missing: [Pin] = []
        for pin in pins {
            switch pin {
            case .file(_, .certificate(let file, _)): certificates.append(file)
            case .certificate(let digest):
                if let known = presentation.certificate(digest) {
                    certificates.append(known)
                } else {
                    missing.append(pin)
                }
            case .spki, .spkiSHA1, .file(_, .publicKey): break
            }
        }
        self.certificates = certificates
        self.missing = missing
    }

    /// One path at most for each that leads to an anchor of the device, and for the chain as built where none does.
    func paths(for presentation: Presentation) -> [Candidate] {
        let verified = presentation.verification.paths
        if !verified.isEmpty { return verified.compactMap { candidate($0.members, along: $0) } }
        switch presentation.verification.code {
        case .selfSigned, .untrustedRoot, .missingIssuer:
            return candidate(presentation.builtChain, along: nil).map { [$0] } ?? []
        case .ok, .expired, .notYetValid, .badSignature, .weak, .wrongPurpose, .unreadable: return []
        }
    }

    /// The answer where a certificate that is not at hand might be the anchor; `nil` if none is missing.
    var unknown: Verdict? { missing.first.map { $0.certificateNotAtHand } }

    func noPath(for presentation: Presentation) -> Verdict {
        let leaf = presentation.assessment.leaf.map { " (the leaf is \($0.shortName))" } ?? ""
        return Verdict(
            .rejectChain, code: "no_path",
            reason: "pinned certificates are the only anchors, and the chain leads to none of them" + leaf)
    }

    static let inference =
        "the chain is taken to lead to a pinned certificate because the names fit; its signatures were not verified here"

    /// - Parameter path: The verified path whose members these are; `nil` where nothing was verified.
    private func candidate(_ members: [CertificateSummary], along path: Path?) -> Candidate? {
        for (index, member) in members.enumerated() {
            guard let anchor = anchor(at: index, member) else { continue }
            let below = Array(members.prefix(max(index, 1)))
            let isSystem = path.map { $0.source == .system && $0.anchored.contains(anchor.fingerprint) } ?? false
            return Candidate(
                path: Path(certificates: below, anchor: anchor, source: isSystem ? .system : .given),
                isInferred: path == nil && index > 0)
        }
        guard let last = members.last, last.issuerDER != last.subjectDER, let issuer = last.issuerDER,
            let anchor = certificates.first(where: { $0.subjectDER == issuer })
        else { return nil }
        return Candidate(path: Path(certificates: members, anchor: anchor, source: .given), isInferred: true)
    }

    /// The member itself, or above the leaf another certificate for the same name and key, which issued all the same.
    private func anchor(at index: Int, _ member: CertificateSummary) -> CertificateSummary? {
        if let same = certificates.first(where: { $0.fingerprint == member.fingerprint }) { return same }
        guard index > 0, let subject = member.subjectDER, let spki = member.spki else { return nil }
        return certificates.first { $0.subjectDER == subject && $0.spki == spki }
    }
}

extension Pin {
    /// For a fingerprint whose certificate is needed, and is nowhere to be seen.
    var certificateNotAtHand: Verdict {
        Verdict(
            .unknown, code: "certificate_not_at_hand",
            reason:
                "\(text) is a certificate that is neither sent nor on a path to the trust store, so whether what is "
                + "served fits it cannot be told; import the certificate beside the source, or name its file in its place"
        )
    }
}

extension Presentation {
    /// A certificate that was sent, that a path leads through, or that the pin file holds.
    func certificate(_ fingerprint: SHA256Digest) -> CertificateSummary? {
        assessment.certificates.first { $0.fingerprint == fingerprint }
            ?? assessment.paths.lazy.flatMap(\.members).first { $0.fingerprint == fingerprint }
            ?? known.first { $0.fingerprint == fingerprint }
    }

    /// As far as a chain was built that leads to no anchor: what was sent, less what is on no way.
    var builtChain: [CertificateSummary] {
        let stray = Set(assessment.stray)
        return assessment.certificates.filter { !stray.contains($0.fingerprint) }
    }
}
