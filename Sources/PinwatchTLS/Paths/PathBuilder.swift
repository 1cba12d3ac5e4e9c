package import PinwatchCore

/// Finds the way from a served leaf to a trust anchor, apart from any handshake (RFC 5280 section 6, by OpenSSL).
package enum PathBuilder {
    /// Entries of a chain that are considered as issuers; what a server sends beyond them is stray.
    package static let entryLimit = 64

    /// Signature checks that one chain may cost, whatever it holds.
    static let signatureLimit = 64

    /// Self-signatures that are verified of one chain; the rest of ``signatureLimit`` is for the ways to an anchor.
    package static let selfSignatureLimit = 16

    /// Builds every path, at most 8, and says what is wrong if there is none.
    ///
    /// Purpose is a TLS server's, keys and digests must reach 112 bits of security, an intermediate in the trust store is an
    /// anchor like any other, and so is the leaf itself. Dates do not decide: among several issuers the one that is valid
    /// `at` is preferred, so that the first path is not one by an expired cross-sign where there is another.
    ///
    /// - Parameters:
    ///   - at: The time for which issuers are preferred.
    ///   - purpose: An authority's where the chain is of issuers alone.
    package static func assess(
        chain: Chain, trustStore: TrustStore, at now: Instant, for purpose: PathPurpose = .server
    ) -> ChainAssessment {
        var sent: [(index: Int, handle: X509Handle)] = []
        for (index, certificate) in chain.certificates.prefix(entryLimit).enumerated() {
            guard let handle = X509Handle(certificate.der, library: trustStore.library) else { continue }
            sent.append((index, handle))
        }
        let draft = PathDraft(chain: chain, trustStore: trustStore, summaries: read(chain, sent: sent))
        guard let leaf = sent.first, leaf.index == 0 else {
            return draft.failed(.unreadable, "The leaf cannot be decoded as an X.509 certificate.", built: [])
        }
        let found = PathSearch.all(
            PathPool(sent: sent, leaf: leaf.handle, trustStore: trustStore, purpose: purpose), at: now,
            checks: signatureLimit - min(draft.summaries.count, selfSignatureLimit))
        guard let found, let first = found.first else {
            return draft.failed(.unreadable, "OpenSSL could not begin to verify the chain.", built: [])
        }
        return draft.assessment(first, and: found.dropFirst())
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

    func assessment(_ search: PathSearch, and others: ArraySlice<PathSearch>) -> ChainAssessment {
        let built = search.members.map(summary)
        if let fault = search.fault {
            let depth = min(max(fault.depth, 0), max(built.count - 1, 0))
            guard let certificate = depth < built.count ? built[depth] : summaries.first else {
                return failed(.unreadable, "OpenSSL could not verify the chain.", built: [])
            }
            let words = PathFault(error: fault.error, at: certificate, depth: depth)
            return failed(words.code, words.reason, built: built, wanting: built.last ?? certificate)
        }
        let paths = ([search] + others).compactMap(path)
        guard let first = paths.first else {
            return failed(.unreadable, "OpenSSL built no chain.", built: [])
        }
        return assessed(
            paths: paths, code: .ok, reason: "The chain leads to the trust anchor \(first.anchor.shortName).",
            used: paths.flatMap(\.members), missing: nil)
    }

    private func path(_ search: PathSearch) -> Path? {
        let built = search.members.map(summary)
        guard let anchor = built.last, let leaf = summaries.first else { return nil }
        let anchored = search.members.indices.filter { search.members[$0].isAnchor }.map { built[$0].fingerprint }
        return Path(
            certificates: built.count == 1 ? [leaf] : Array(built.dropLast()), anchor: anchor,
            source: source(search.members.last), anchored: anchored.isEmpty ? [anchor.fingerprint] : Set(anchored))
    }

    private func source(_ member: PathPool.Member?) -> AnchorSource {
        if case .anchor(let index) = member { trustStore.sources[index] } else { .given }
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

    private func summary(_ member: PathPool.Member) -> CertificateSummary {
        switch member {
        case .sent(let index): summaries[index]
        case .anchor(let index):
            CertificateReader.read(trustStore.anchors[index]) { .check(trustStore.handles[index]) }
        }
    }
}
