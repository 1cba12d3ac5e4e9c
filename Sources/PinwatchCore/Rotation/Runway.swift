/// When a release stops accepting what a host serves, or stops pinning it, as far as that is certain today.
package struct RunwayEnd: Sendable, Hashable {
    package enum Outcome: String, Sendable {
        /// Its users are cut off.
        case rejected
        /// It accepts any trusted certificate from then on, and nobody is told.
        case unpinned
    }

    /// The last instant at which all is well.
    package let at: Instant
    package let outcome: Outcome
    /// What ends then, such as `its pinned certificate`.
    package let what: String
    /// The client's own reason after that.
    package let reason: String

    /// `rejected: its pinned certificate ends`.
    package var summary: String { "\(outcome.rawValue): \(what) ends" }
}

/// Plays the ends that are known forward, one after another, and asks the release's own rules about each.
///
/// In the best case that is still certain, a leaf is renewed over its key under the same issuer, and an issuer whose
/// certificate has ended gives way to another with another key; where some paths end, the others are taken. A date is no
/// fault of its own: renewals are taken to come in time.
struct Runway {
    let definition: PinSetDefinition
    let host: String
    let reference: ReferenceIdentity
    let now: Instant

    /// The first end over all chains that are accepted now; `nil` where none is certain.
    func end(of chains: [ChainAssessment]) -> RunwayEnd? {
        chains.compactMap(end).min { $0.at < $1.at }
    }

    private func end(of chain: ChainAssessment) -> RunwayEnd? {
        let world = RunwayWorld(chain)
        let pinEnds = Set(self.pinEnds)
        let ends = pinEnds.union(world.ends).filter { $0 >= now }.sorted()
        // Whatever is accepted after all of them is accepted in between.
        guard let last = ends.last, verdict(on: world, after: last).kind != .accept else { return nil }
        for end in ends {
            let verdict = verdict(on: world, after: end)
            guard verdict.kind != .accept else { continue }
            let what = pinEnds.contains(end) ? "its pinning" : world.words(ending: end)
            return RunwayEnd(
                at: end, outcome: Self.outcome(verdict, isPinEnd: pinEnds.contains(end)), what: what,
                reason: verdict.reason)
        }
        return nil
    }

    private func verdict(on world: RunwayWorld, after end: Instant) -> Verdict {
        let (then, assessment) = (end + 1, world.assessment(after: end))
        return ReleaseVerdict.judge(
            definition,
            presentation: Presentation(
                host: host, assessment: assessment, verification: assessment.verification(at: then, for: reference),
                now: then)
        ).deciding
    }

    private static func outcome(_ verdict: Verdict, isPinEnd: Bool) -> RunwayEnd.Outcome {
        switch verdict.kind {
        case .unpinned: .unpinned
        // Which of its time zones a device is in decides for hours, and then it is off everywhere.
        case .unknown: isPinEnd ? .unpinned : .rejected
        case .accept, .acceptReport, .rejectPin, .rejectChain, .configError, .notEvaluated, .dependsOnPath: .rejected
        }
    }

    /// The ends of entries whose pins apply to the host now and not for ever.
    private var pinEnds: [Instant] {
        definition.layers.flatMap { layer -> [Instant] in
            let pins = layer.policy.pins(for: host, now: now)
            // Most policies have no end at all, and are not searched for one.
            guard layer.policy.pins(for: host, now: Instant(unixSeconds: .max)) != pins else { return [] }
            let name = HostPattern.normalised(host)
            let dated = layer.policy.hosts.compactMap { entry in
                entry.expires.map { PinExpiry(at: $0, host: entry.pattern) }
            }
            return (dated + layer.policy.expiries).filter { HostPattern.mayCover($0.host, name) }.map(\.at)
        }
    }
}

/// A chain with its paths as they would be after some of their certificates have ended.
private struct RunwayWorld {
    let chain: ChainAssessment

    init(_ chain: ChainAssessment) { self.chain = chain }

    /// The ends of the leaf and of intermediates. An anchor's own end is none: Android and OkHttp do not look at its dates, and
    /// systems replace their stores before it.
    var ends: [Instant] { chain.paths.flatMap(Self.below).compactMap(\.notAfter) }

    private static func below(_ path: Path) -> [CertificateSummary] {
        path.members.count > 1 ? path.members.filter { $0.fingerprint != path.anchor.fingerprint } : path.members
    }

    func assessment(after end: Instant) -> ChainAssessment {
        let standing = chain.paths.filter { path in !Self.below(path).dropFirst().contains { $0.hasEnded(by: end) } }
        let paths = (standing.isEmpty ? chain.paths : standing).map { path in
            Path(
                certificates: path.certificates.enumerated().map { renewed($0.element, isLeaf: $0.offset == 0, end) },
                anchor: path.members.count == 1
                    ? renewed(path.anchor, isLeaf: true, end) : SyntheticCertificate.standing(at: end + 1, path.anchor),
                source: path.source,
                anchored: Set(
                    path.members.enumerated().filter { path.anchored.contains($0.element.fingerprint) }
                        .map { renewed($0.element, isLeaf: $0.offset == 0, end).fingerprint }))
        }
        return ChainAssessment(
            chain: chain.chain, trustStore: chain.trustStore,
            certificates: chain.certificates.enumerated().map { renewed($0.element, isLeaf: $0.offset == 0, end) },
            paths: paths, code: chain.code, reason: chain.reason, stray: chain.stray,
            missingIssuer: chain.missingIssuer)
    }

    /// What ends at an instant, the leaf before what is above it.
    func words(ending end: Instant) -> String {
        for path in chain.paths {
            for (place, member) in Self.below(path).enumerated() where member.notAfter == end {
                return place == 0 ? "its pinned certificate" : "the pinned intermediate " + member.shortName
            }
        }
        return "what it pins"
    }

    private func renewed(_ certificate: CertificateSummary, isLeaf: Bool, _ end: Instant) -> CertificateSummary {
        SyntheticCertificate.standing(
            at: end + 1, certificate.hasEnded(by: end) ? renewal(certificate, isLeaf) : certificate)
    }

    private func renewal(_ certificate: CertificateSummary, _ isLeaf: Bool) -> CertificateSummary {
        isLeaf ? SyntheticCertificate.renewed(certificate) : SyntheticCertificate.replaced(certificate)
    }
}

extension CertificateSummary {
    fileprivate func hasEnded(by end: Instant) -> Bool { notAfter.map { $0 <= end } ?? false }
}
