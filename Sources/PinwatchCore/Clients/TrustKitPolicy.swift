/// TrustKit for iOS and macOS (pin-semantics 2.1, read from 3.0.7 and after).
///
/// One entry decides: the exact one, else the longest that includes sub-domains. TrustKit refuses to start over a list of
/// faults, which ``TrustKitDomain`` holds.
package struct TrustKitPolicy: PinPolicy {
    let domains: [TrustKitDomain]
    private let places: HostPlaces
    private let registry: TrustKitRegistry
    /// Worked out once, for every verdict asks for it.
    package let configurationError: Verdict?

    init(domains: [TrustKitDomain], suffixes: any PublicSuffixes) {
        self.domains = domains
        places = HostPlaces(domains.map(\.name))
        registry = TrustKitRegistry(suffixes: suffixes)
        configurationError = TrustKitDomain.configurationError(of: domains, registry: registry)
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["domains"]),
            let members = policy.required("domains", &reader).flatMap({ reader.members($0, "domains") })
        else { return nil }
        let domains = members.compactMap { TrustKitDomain(from: $0, reader: &reader) }
        guard reader.problems.count == before else { return nil }
        self.init(domains: domains, suffixes: reader.resources.publicSuffixes)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let error = configurationError { return error }
        guard let domain = domain(for: presentation.host) else {
            return presentation.appleUnlisted(near: nearMiss(for: presentation.host))
        }
        let notes = domain.notes + registry.notes(on: domain.name)
        return verdict(of: domain, for: presentation).noting(notes)
    }

    package func concerns(host: String) -> Bool {
        configurationError != nil || domain(for: host) != nil || nearMiss(for: host) != nil
    }

    package func patterns(covering host: String) -> [String] { domain(for: host).map { [$0.name] } ?? [] }

    package var hosts: [PinnedHost] {
        domains.map {
            PinnedHost(pattern: $0.name, match: "any_in_path", pins: $0.pins, expires: $0.expires)
        }
    }

    package var allPins: [Pin] { domains.flatMap(\.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] {
        guard configurationError == nil, let domain = domain(for: host), !domain.isExcluded,
            domain.expires.map({ now <= $0 }) ?? true
        else { return [] }
        return domain.pins
    }

    /// The key's kind counts: what TrustKit cannot hash matches nothing.
    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        TrustKitDomain.isSupported(certificate.key)
            && TrustKitDomain.digest(of: pin).map { $0 == certificate.spki } ?? false
    }

    package var expiries: [PinExpiry] {
        domains.compactMap { domain in domain.expires.map { PinExpiry(at: $0, host: domain.name) } }
    }

    private func domain(for host: String) -> TrustKitDomain? {
        let domains = places.about(host).map { self.domains[$0] }
        if let exact = domains.first(where: { $0.name == host }) { return exact }
        return domains.filter { $0.includesSubdomains && registry.covers($0.name, host) }
            .max { $0.name.utf8.count < $1.name.utf8.count }
    }

    private func nearMiss(for host: String) -> String? {
        let asked = HostPattern.normalised(host)
        for domain in places.about(host).map({ domains[$0] }) {
            let name = HostPattern.normalised(domain.name)
            if name == asked { return "the entry is spelled \(domain.name), and spelling counts" }
            if name.hasPrefix("*."), asked.hasSuffix(name.dropFirst()) {
                return "\(domain.name) is taken letter for letter, for wildcards mean nothing to TrustKit"
            }
            guard domain.includesSubdomains, asked.hasSuffix("." + name) else { continue }
            return host.hasSuffix(".") || asked != host
                ? "\(domain.name) includes sub-domains, but the host is spelled \(host), and spelling counts"
                : "\(domain.name) includes sub-domains, but TrustKit takes \(host) to be under another public suffix"
        }
        return nil
    }

    /// The library's own order, once the entry is found.
    private func verdict(of domain: TrustKitDomain, for presentation: Presentation) -> Verdict {
        let trust = AppleTrust.evaluate(presentation, as: .serverWithHost)
        if let expires = domain.expires, presentation.now > expires {
            return trust.refusal
                ?? Verdict(
                    .unpinned, by: .trap, code: "expired",
                    reason:
                        "the pins for \(domain.name) ended at \(expires.rfc3339 ?? "their date"), so nothing is pinned",
                    notes: trust.notes)
        }
        if domain.isExcluded {
            return trust.refusal
                ?? Verdict(
                    .unpinned, by: .design, code: "excluded",
                    reason: "\(domain.name) is excluded from its parent's policy, so plain TLS validation decides",
                    notes: trust.notes)
        }
        if let refusal = trust.refusal {
            return domain.isEnforced
                ? refusal
                : refusal.noting(["TrustKit blocks a chain that fails validation although it only reports on pins"])
        }
        guard !trust.paths.isEmpty else {
            return domain.verdict(on: presentation.builtChain, anchor: nil).noting(trust.notes)
        }
        let isMac = presentation.release.platform?.system == .macos
        let judged = trust.paths.map { path in
            let verdict = domain.verdict(on: path.members, anchor: path.anchor.fingerprint)
            return (path, isMac && path.source == .user ? verdict.excused : verdict)
        }
        return PathVerdicts(judged, entry: domain.name).settled.noting(trust.notes)
    }
}

extension Verdict {
    /// What TSKIgnorePinningForUserDefinedTrustAnchors, which is on unless an app says otherwise, makes on a Mac of pins
    /// that do not match.
    fileprivate var excused: Verdict {
        guard code == "no_pin_matched" || code == "report_only" else { return self }
        return Verdict(
            .unpinned, by: .trap, code: "user_anchor",
            reason:
                "the path ends in an anchor that the Mac's user or administrator added, for which TrustKit does not pin"
        )
    }
}
