package import PinwatchCore

/// Finds the way from a served leaf to a trust anchor, apart from any handshake (RFC 5280 section 6, by OpenSSL).
package enum PathBuilder {
    /// Entries of a chain that are considered as issuers; what a server sends beyond them is stray.
    package static let entryLimit = 64

    /// Self-signatures that are verified of one chain. With those along a path, of at most 12 certificates, a chain costs
    /// no more than 64 signature checks.
    package static let selfSignatureLimit = 48

    /// Builds a path and says what is wrong if there is none.
    ///
    /// Purpose is a TLS server's, keys and digests must reach 112 bits of security, an intermediate in the trust store is an
    /// anchor like any other, and so is the leaf itself. Dates do not decide: among several issuers the one that is valid
    /// `at` is preferred, so that an expired cross-sign beside a valid way is stray.
    ///
    /// - Parameter at: The time for which issuers are preferred.
    package static func assess(chain: Chain, trustStore: TrustStore, at now: Instant) -> ChainAssessment {
        var sent: [(index: Int, handle: X509Handle)] = []
        for (index, certificate) in chain.certificates.prefix(entryLimit).enumerated() {
            guard let handle = X509Handle(certificate.der, library: trustStore.library) else { continue }
            sent.append((index, handle))
        }
        let draft = PathDraft(chain: chain, trustStore: trustStore, summaries: read(chain, sent: sent))
        guard let leaf = sent.first, leaf.index == 0 else {
            return draft.failed(.unreadable, "The leaf cannot be decoded as an X.509 certificate.", built: [])
        }
        guard let search = PathSearch.run(leaf: leaf.handle, sent: sent, trustStore: trustStore, at: now) else {
            return draft.failed(.unreadable, "OpenSSL could not begin to verify the chain.", built: [])
        }
        return draft.assessment(search)
    }

    private static func read(_ chain: Chain, sent: [(index: Int, handle: X509Handle)]) -> [CertificateSummary] {
        let handles = Dictionary(uniqueKeysWithValues: sent.map { ($0.index, $0.handle) })
        var checks = 0
        return chain.certificates.enumerated().map { index, certificate in
            CertificateReader.read(certificate) {
                guard index < entryLimit, checks < selfSignatureLimit else { return .skip(why: unchecked) }
                checks += 1
                return .check(handles[index])
            }
        }
    }

    private static let unchecked =
        "not verified: of a chain at most \(selfSignatureLimit) self-signatures are, among its first \(entryLimit) entries"
}

/// An assessment in the making.
private struct PathDraft {
    let chain: Chain
    let trustStore: TrustStore
    let summaries: [CertificateSummary]

    func assessment(_ search: PathSearch) -> ChainAssessment {
        let built = search.members.map(summary)
        if let fault = search.fault {
            let depth = min(max(fault.depth, 0), max(built.count - 1, 0))
            guard let certificate = depth < built.count ? built[depth] : summaries.first else {
                return failed(.unreadable, "OpenSSL could not verify the chain.", built: [])
            }
            let words = PathFault(error: fault.error, at: certificate, depth: depth)
            return failed(words.code, words.reason, built: built, wanting: built.last ?? certificate)
        }
        guard let anchor = built.last, let leaf = summaries.first else {
            return failed(.unreadable, "OpenSSL built no chain.", built: [])
        }
        let path = Path(certificates: built.count == 1 ? [leaf] : Array(built.dropLast()), anchor: anchor)
        return assessed(
            paths: [path], code: .ok, reason: "The chain leads to the trust anchor \(anchor.shortName).",
            used: path.members, missing: nil)
    }

    func failed(
        _ code: VerificationCode, _ reason: String, built: [CertificateSummary], wanting: CertificateSummary? = nil
    ) -> ChainAssessment {
        let missing =
            code == .missingIssuer
            ? wanting.map { MissingIssuer(subject: $0.issuer, aiaURLs: $0.aiaURLs ?? []) } : nil
        return assessed(
            paths: [], code: code, reason: reason, used: built + summaries.prefix(1), missing: missing)
    }

    private func assessed(
        paths: [Path], code: VerificationCode, reason: String, used: [CertificateSummary], missing: MissingIssuer?
    ) -> ChainAssessment {
        let used = Set(used.map(\.fingerprint))
        return ChainAssessment(
            chain: chain.id, trustStore: trustStore.name, certificates: summaries, paths: paths, code: code,
            reason: reason, stray: summaries.map(\.fingerprint).filter { !used.contains($0) }, missingIssuer: missing)
    }

    private func summary(_ member: PathSearch.Member) -> CertificateSummary {
        switch member {
        case .sent(let index): summaries[index]
        case .anchor(let index):
            CertificateReader.read(trustStore.anchors[index]) { .check(trustStore.handles[index]) }
        }
    }
}
