/// Which generation of OkHttp's rules a client's name stands for where no version says otherwise.
package protocol OkHttpGeneration: Sendable {
    /// Whether `**.` matches, and a misplaced `*` is refused: since 4.3.0.
    static var isModern: Bool { get }
}

/// `okhttp`: 4.3.0 or newer.
package enum ModernOkHttp: OkHttpGeneration {
    package static let isModern = true
}

/// `okhttp3`: before 4.3.0.
package enum LegacyOkHttp: OkHttpGeneration {
    package static let isModern = false
}

/// OkHttp's `CertificatePinner` (pin-semantics 5): all pins of all matching patterns together, any of them on any member
/// of the cleaned chain. A stated version decides over the client's name.
package struct OkHttpPolicy<Generation: OkHttpGeneration>: PinPolicy {
    /// What the trust manager names as accepted issuers.
    enum AcceptedIssuers: String, CaseIterable {
        case platform
        /// A trust-all manager, which accepts every chain and names no anchor.
        case none
    }

    let entries: [OkHttpEntry]
    let acceptedIssuers: AcceptedIssuers
    let idna: any IDNA
    private let places: HostPlaces
    /// The first exception of the builder, by both generations: worked out once, for it reads every pin.
    private let errors: (modern: Verdict?, legacy: Verdict?)

    init(entries: [OkHttpEntry], acceptedIssuers: AcceptedIssuers = .platform, idna: any IDNA) {
        self.entries = entries
        self.acceptedIssuers = acceptedIssuers
        self.idna = idna
        places = HostPlaces(entries.map(\.pattern))
        errors = (
            entries.lazy.compactMap { $0.error(true) }.first, entries.lazy.compactMap { $0.error(false) }.first
        )
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["pins", "accepted_issuers"]) else { return nil }
        let items = policy.required("pins", &reader).flatMap { reader.sequence($0, "pins") } ?? []
        let entries = items.compactMap { OkHttpEntry(from: $0, reader: &reader) }
        let issuers = policy["accepted_issuers"].map {
            reader.word($0, "accepted_issuers", of: AcceptedIssuers.self)
        }
        guard reader.problems.count == before else { return nil }
        self.init(
            entries: entries, acceptedIssuers: (issuers ?? .platform) ?? .platform, idna: reader.resources.idna)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        let isModern = isModern(presentation.release.clientVersion)
        if let error = configurationError(isModern) { return error }
        let host = OkHttpHost.canonical(presentation.host, idna: idna) ?? presentation.host.lowercased()
        let asked = OkHttpAsked(
            presentation: presentation, matched: entries(about: host).filter { $0.matches(host, isModern) },
            near: entries(about: host).lazy.compactMap { $0.nearMiss(host, isModern) }.first)
        let isOpen = acceptedIssuers == .none
        let onAndroid = isOpen ? asked.trustingAll() : asked.onAndroid()
        let onJVM = readingAddress(of: asked, host) {
            isOpen ? asked.trustingAll(failing: $0) : asked.onJVM(failing: $0)
        }
        switch presentation.release.platform?.system {
        case .android: return onAndroid
        case .jvm, .linux, .macos, .ios: return onJVM
        case nil: return Verdict.whichever("the platform, android or jvm", ("android", onAndroid), ("jvm", onJVM))
        }
    }

    /// Java writes an IPv6 address of a certificate with all its groups, and before 4.5.0 OkHttp compares that with the
    /// host's short form as text. Conscrypt writes the short form.
    ///
    /// - Parameter judge: The verdict where the name fails in this way, or does not.
    private func readingAddress(
        of asked: OkHttpAsked, _ host: String, _ judge: (_ misread: Verdict?) -> Verdict
    ) -> Verdict {
        guard IPAddress(host)?.isIPv6 == true, host.contains("::") else { return judge(nil) }
        let (older, newer) = (judge(asked.misreadAddress(host)), judge(nil))
        guard let version = asked.presentation.release.clientVersion, let first = VersionNumber("4.5.0") else {
            guard Generation.isModern else { return older }
            return .whichever("the version", ("from 4.5.0 on", newer), ("before 4.5.0", older))
        }
        return version < first ? older : newer
    }

    package func concerns(host: String) -> Bool {
        let name = OkHttpHost.canonical(host, idna: idna) ?? host.lowercased()
        let entries = entries(about: name)
        return [true, false].contains { isModern in
            configurationError(isModern) != nil
                || entries.contains { $0.matches(name, isModern) || $0.nearMiss(name, isModern) != nil }
        }
    }

    /// Those too that are added without pins, which adds nothing.
    package func patterns(covering host: String) -> [String] {
        let name = OkHttpHost.canonical(host, idna: idna) ?? host.lowercased()
        return entries(about: name).filter { $0.covers(name, Generation.isModern) }.map(\.pattern)
    }

    package var configurationError: Verdict? { configurationError(Generation.isModern) }

    package var hosts: [PinnedHost] {
        entries.map { PinnedHost(pattern: $0.pattern, match: "any_in_path", pins: $0.pins, expires: nil) }
    }

    package var allPins: [Pin] { entries.flatMap(\.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] {
        let name = OkHttpHost.canonical(host, idna: idna) ?? host.lowercased()
        return entries(about: name).filter { $0.matches(name, Generation.isModern) }.flatMap(\.pins)
    }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        OkHttpEntry.matches(pin, certificate)
    }

    /// A pinner has no notion of an end.
    package var expiries: [PinExpiry] { [] }

    private func isModern(_ version: VersionNumber?) -> Bool {
        guard let version, let first = VersionNumber("4.3.0") else { return Generation.isModern }
        return !(version < first)
    }

    private func configurationError(_ isModern: Bool) -> Verdict? {
        isModern ? errors.modern : errors.legacy
    }

    /// - Parameter name: Canonical.
    private func entries(about name: String) -> [OkHttpEntry] { places.about(name).map { entries[$0] } }
}
