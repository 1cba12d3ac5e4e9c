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
        guard acceptedIssuers == .platform else { return asked.trustingAll() }
        switch presentation.release.platform?.system {
        case .android: return asked.onAndroid()
        case .jvm, .linux, .macos, .ios: return asked.onJVM()
        case nil:
            return Verdict.whichever(
                "the platform, android or jvm", ("android", asked.onAndroid()), ("jvm", asked.onJVM()))
        }
    }

    package func concerns(host: String) -> Bool {
        let name = OkHttpHost.canonical(host, idna: idna) ?? host.lowercased()
        let entries = entries(about: name)
        return [true, false].contains { isModern in
            configurationError(isModern) != nil
                || entries.contains { $0.matches(name, isModern) || $0.nearMiss(name, isModern) != nil }
        }
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

/// One `add(pattern, pins…)`, read as both generations would.
struct OkHttpEntry: Sendable {
    /// As written.
    let pattern: String
    let pins: [Pin]
    private let modern: Result<OkHttpPattern, HostProblem>
    private let legacy: Result<OkHttpPattern, HostProblem>

    init(pattern: String, pins: [Pin], idna: any IDNA) {
        self.pattern = pattern
        self.pins = pins
        modern = Result { () throws(HostProblem) in try OkHttpPattern(pattern, idna: idna) }
        legacy = Result { () throws(HostProblem) in try OkHttpPattern(legacy: pattern, idna: idna) }
    }

    init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let entry = reader.mapping(node, "an entry of pins", allowed: ["pattern", "pins"]) else { return nil }
        let pattern = entry.required("pattern", &reader).flatMap { reader.string($0, "pattern") }
        let pins = entry.required("pins", &reader).flatMap { reader.pins($0, "pins") }
        guard reader.problems.count == before, let pattern, let pins else { return nil }
        self.init(pattern: pattern, pins: pins, idna: reader.resources.idna)
    }

    func matches(_ host: String, _ isModern: Bool) -> Bool { !pins.isEmpty && (read(isModern)?.matches(host) ?? false) }

    func nearMiss(_ host: String, _ isModern: Bool) -> String? {
        guard let read = read(isModern) else { return nil }
        if read.matches(host) { return pins.isEmpty ? "\(pattern) was added without pins" : nil }
        return read.nearMiss(host, written: pattern)
    }

    /// The builder makes a pin of each text; a pattern without pins is never looked at.
    func error(_ isModern: Bool) -> Verdict? {
        guard !pins.isEmpty else { return nil }
        switch isModern ? modern : legacy {
        case .failure(let problem):
            return Verdict(
                .configError, code: "malformed_pattern",
                reason: "OkHttp's builder throws for \(pattern): \(problem.description)")
        case .success: break
        }
        guard let bad = pins.first(where: Self.isRefused) else { return nil }
        return Verdict(
            .configError, code: "malformed_pin",
            reason: "OkHttp's builder throws for \(bad.text) of \(pattern): a pin is sha256/ or sha1/ and base64")
    }

    private func read(_ isModern: Bool) -> OkHttpPattern? { try? (isModern ? modern : legacy).get() }

    private static func isRefused(_ pin: Pin) -> Bool {
        switch pin {
        case .spki(let text), .spkiSHA1(let text): OkioBase64.decode(text) == nil
        case .certificate: true
        case .file: false
        }
    }

    static func matches(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { OkioBase64.decode(text) == $0.bytes } ?? false
        case .spkiSHA1(let text): certificate.spkiSHA1.map { OkioBase64.decode(text) == $0 } ?? false
        case .file(_, .publicKey(let spki)): certificate.spki == spki
        case .file(_, .certificate(let file, _)): file.spki.map { certificate.spki == $0 } ?? false
        case .certificate: false
        }
    }
}
