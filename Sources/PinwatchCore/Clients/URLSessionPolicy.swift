/// A URLSession delegate written by hand (pin-semantics 7.7): no library's rules, so the file says what it does.
///
/// The host is looked up exactly as spelled, as a Swift dictionary does. Hashes compare as text with padded standard
/// base64, which is what such code computes; a whole certificate compares byte for byte.
package struct URLSessionPolicy: PinPolicy {
    /// What the delegate takes from a certificate before it compares.
    enum Compare: String, CaseIterable {
        case der, spki
        case rawKey = "raw_key"
    }

    /// Which certificates it takes it from.
    enum Match: String, CaseIterable {
        case leaf, any
    }

    /// What it does with a host that it has no entry for.
    enum Unlisted: String, CaseIterable {
        case `default`, reject
    }

    struct Entry {
        let host: String
        let compare: Compare
        let match: Match
        let pins: [Pin]
        /// What the file left out, and what was assumed.
        let assumptions: [String]
    }

    let entries: [Entry]
    let evaluatesTrust: Bool
    let unlisted: Unlisted
    private let index: ExactHosts

    init(entries: [Entry], evaluatesTrust: Bool = true, unlisted: Unlisted = .default) {
        self.entries = entries
        index = ExactHosts(entries.map(\.host))
        self.evaluatesTrust = evaluatesTrust
        self.unlisted = unlisted
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["hosts", "evaluates_trust", "unlisted"]) else {
            return nil
        }
        let hosts = policy.required("hosts", &reader).flatMap { reader.members($0, "hosts") } ?? []
        let entries = hosts.compactMap { Entry(from: $0, reader: &reader) }
        let evaluatesTrust = policy["evaluates_trust"].map { reader.flag($0, "evaluates_trust") }
        let unlisted = policy["unlisted"].map { reader.word($0, "unlisted", of: Unlisted.self) }
        guard reader.problems.count == before else { return nil }
        self.init(
            entries: entries, evaluatesTrust: (evaluatesTrust ?? true) ?? true,
            unlisted: (unlisted ?? .default) ?? .default)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        guard let entry = entry(for: presentation.host) else {
            return unlistedVerdict(for: presentation)
        }
        var notes = entry.assumptions + entry.unloaded
        let trust = AppleTrust.evaluate(presentation, as: .serverWithHost)
        if let refusal = trust.refusal {
            if evaluatesTrust { return refusal.noting(notes) }
            notes.append("trust is not evaluated, although plain validation fails: \(refusal.reason)")
        } else {
            notes += trust.notes
        }
        guard !entry.loaded.isEmpty else {
            return Verdict(
                .rejectPin, code: "empty", reason: "\(entry.host) is left with no pins, so nothing can match",
                notes: notes)
        }
        return entry.test(presentation, trust.paths).noting(notes)
    }

    package func concerns(host: String) -> Bool {
        unlisted == .reject || entry(for: host) != nil || near(host) != nil
    }

    package func patterns(covering host: String) -> [String] { entry(for: host).map { [$0.host] } ?? [] }

    package var hosts: [PinnedHost] {
        entries.map { PinnedHost(pattern: $0.host, match: $0.match.rawValue, pins: $0.pins, expires: nil) }
    }

    package var allPins: [Pin] { entries.flatMap(\.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] {
        entry(for: host)?.loaded ?? []
    }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        entries.contains { $0.loaded.contains(pin) && $0.compare.matches(pin, certificate) }
    }

    /// Code written by hand has no notion of an end.
    package var expiries: [PinExpiry] { [] }

    package var refusesUnlistedHosts: Bool { unlisted == .reject }

    private func entry(for host: String) -> Entry? { index[host].map { entries[$0] } }

    private func near(_ host: String) -> String? { index.nearMiss(for: host) }

    private func unlistedVerdict(for presentation: Presentation) -> Verdict {
        switch unlisted {
        case .reject:
            return Verdict(
                .rejectPin, code: "host_not_listed",
                reason: "no entry lists \(presentation.host), which this app refuses")
        case .default:
            return presentation.appleUnlisted(near: near(presentation.host))
        }
    }
}

extension URLSessionPolicy.Entry {
    fileprivate init?(from member: Node.Member, reader: inout NodeReader) {
        let before = reader.problems.count
        guard !member.key.isEmpty else {
            reader.report(member.keyMark, "a host must not be empty")
            return nil
        }
        let what = "host \(member.key)"
        guard let entry = reader.mapping(member.value, what, allowed: ["compare", "match", "pins"]) else { return nil }
        let pins = entry.required("pins", &reader).flatMap { reader.pins($0, "pins") }
        let compare = entry["compare"].map { reader.word($0, "compare", of: URLSessionPolicy.Compare.self) }
        let match = entry["match"].map { reader.word($0, "match", of: URLSessionPolicy.Match.self) }
        guard reader.problems.count == before, let pins else { return nil }
        var assumptions: [String] = []
        if compare == nil { assumptions.append("the file does not say what is compared: spki is assumed") }
        if match == nil { assumptions.append("the file does not say which certificates are compared: leaf is assumed") }
        self.init(
            host: member.key, compare: (compare ?? .spki) ?? .spki, match: (match ?? .leaf) ?? .leaf, pins: pins,
            assumptions: assumptions)
    }

    /// The pins that the app really holds: a bundle file that is PEM gives no certificate where DER is loaded.
    var loaded: [Pin] { pins.filter { !isDropped($0) } }

    fileprivate var unloaded: [String] {
        pins.compactMap { pin in
            guard case .file(_, let file) = pin else { return nil }
            switch (compare, file) {
            case (.der, .certificate(_, isDER: false)):
                return "\(pin.text) is not DER, so an app that loads certificates drops it"
            case (.der, .publicKey):
                return "\(pin.text) is a key, where the app loads certificates, so it is dropped"
            case (.spki, .certificate(_, isDER: false)), (.rawKey, .certificate(_, isDER: false)):
                return
                    "\(pin.text) is PEM: its key is compared here, but an app that loads the file itself gets nothing"
            case (_, .certificate), (_, .publicKey): return nil
            }
        }
    }

    private func isDropped(_ pin: Pin) -> Bool {
        guard compare == .der, case .file(_, let file) = pin else { return false }
        switch file {
        case .certificate(_, let isDER): return !isDER
        case .publicKey: return true
        }
    }

    fileprivate func test(_ presentation: Presentation, _ paths: [Path]) -> Verdict {
        let test = PinTest(
            entry: host, pins: loaded, matches: { compare.matches($0, $1) },
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: compare.compared) })
        switch match {
        case .leaf: return test.leaf(of: presentation)
        case .any:
            return paths.isEmpty ? test.sent(by: presentation) : test.paths(paths)
        }
    }
}
