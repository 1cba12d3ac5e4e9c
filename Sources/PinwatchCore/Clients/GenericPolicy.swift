/// The house's own rules, for apps whose client has no rules of its own here: plain validation, then any pin of the
/// host's entry on any member of the built path, its anchor included.
///
/// Hosts compare in lower case without a trailing dot, `*.` stands for exactly one leftmost label, and an exact entry
/// goes before a wildcard. Pins may be base64, base64url or hexadecimal, padded or not; one that cannot be read makes
/// the policy unloadable, as most libraries would have it.
package struct GenericPolicy: PinPolicy {
    /// Which certificates an entry's pins are held against.
    enum Match: String, CaseIterable {
        case anyInPath = "any_in_path"
        case leaf
    }

    struct Entry {
        /// Lower case, no trailing dot; `*.example.com` keeps its star.
        let host: String
        let match: Match
        let pins: [Pin]
        /// The day's first instant in UTC, at which the entry still pins.
        let expires: Instant?
    }

    let entries: [Entry]
    /// Places in `entries` by host: one release may pin very many, and every host that is judged asks.
    private let places: [String: Int]
    /// Worked out once, for it reads every pin of every host, and every verdict asks for it.
    package let configurationError: Verdict?

    init(entries: [Entry]) {
        self.entries = entries
        places = Dictionary(entries.indices.map { (entries[$0].host, $0) }) { first, _ in first }
        configurationError = Self.configurationError(of: entries)
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["hosts"]),
            let list = policy.required("hosts", &reader), let items = reader.sequence(list, "hosts")
        else { return nil }
        var entries: [Entry] = []
        var lines: [String: Int] = [:]
        for item in items {
            guard let entry = Entry(from: item, reader: &reader) else { continue }
            if let line = lines[entry.host] {
                reader.report(item.mark, "host \(entry.host) is listed already in line \(line); put its pins together")
            }
            lines[entry.host] = lines[entry.host] ?? item.mark.line
            entries.append(entry)
        }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let error = configurationError { return error }
        if let rejection = presentation.plainRejection { return rejection }
        guard let entry = entry(for: presentation.host) else {
            return presentation.unlisted(near: nearMiss(for: presentation.host))
        }
        if let expires = entry.expires, presentation.now > expires {
            return Verdict(
                .unpinned, by: .trap, code: "expired",
                reason: "the pins for \(entry.host) ended at \(expires.rfc3339 ?? "their date"), so nothing is pinned")
        }
        let test = PinTest(
            entry: entry.host, pins: entry.pins, matches: pin(_:matches:),
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: .spki) })
        switch entry.match {
        case .leaf: return test.leaf(of: presentation)
        case .anyInPath: return test.paths(presentation.plausiblePaths)
        }
    }

    package func concerns(host: String) -> Bool {
        configurationError != nil || entry(for: host) != nil || nearMiss(for: host) != nil
    }

    package func patterns(covering host: String) -> [String] { entry(for: host).map { [$0.host] } ?? [] }

    package var hosts: [PinnedHost] {
        entries.map {
            PinnedHost(pattern: $0.host, match: $0.match.rawValue, pins: $0.pins, expires: $0.expires)
        }
    }

    package var allPins: [Pin] { entries.flatMap(\.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] {
        guard let entry = entry(for: host), entry.expires.map({ now <= $0 }) ?? true else { return [] }
        return entry.pins
    }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { PinText.sha256(text) == $0 } ?? false
        case .spkiSHA1(let text): certificate.spkiSHA1.map { PinText.sha1(text) == $0 } ?? false
        case .certificate(let digest): certificate.fingerprint == digest
        case .file(_, .publicKey(let spki)): certificate.spki == spki
        case .file(_, .certificate(let file, _)): file.spki.map { certificate.spki == $0 } ?? false
        }
    }

    package var expiries: [PinExpiry] {
        entries.compactMap { entry in entry.expires.map { PinExpiry(at: $0, host: entry.host) } }
    }

    private func entry(for host: String) -> Entry? {
        HostPattern.covering(host).lazy.compactMap { places[$0] }.first.map { entries[$0] }
    }

    /// A wildcard above the host that a reader may take for covering it.
    private func nearMiss(for host: String) -> String? {
        let name = HostPattern.normalised(host)
        if places["*." + name] != nil { return "*.\(name) does not cover \(name) itself" }
        var ancestor = HostPattern.parent(of: name)
        while let suffix = ancestor {
            if places["*." + suffix] != nil { return "*.\(suffix) covers one label only" }
            ancestor = HostPattern.parent(of: suffix)
        }
        return nil
    }

    private static func configurationError(of entries: [Entry]) -> Verdict? {
        for entry in entries {
            if entry.pins.isEmpty {
                return Verdict(.configError, code: "empty", reason: "the entry for \(entry.host) has no pins")
            }
            if let bad = entry.pins.first(where: isMalformed) {
                return Verdict(
                    .configError, code: "malformed_pin",
                    reason: "\(bad.text) of \(entry.host) is no pin: base64 of \(length(of: bad)) bytes is needed")
            }
        }
        return nil
    }

    private static func isMalformed(_ pin: Pin) -> Bool {
        switch pin {
        case .spki(let text): PinText.sha256(text) == nil
        case .spkiSHA1(let text): PinText.sha1(text) == nil
        case .certificate, .file: false
        }
    }

    private static func length(of pin: Pin) -> Int {
        switch pin {
        case .spkiSHA1: 20
        case .spki, .certificate, .file: 32
        }
    }
}

extension GenericPolicy.Entry {
    fileprivate init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        let what = "an entry of hosts"
        guard let entry = reader.mapping(node, what, allowed: ["host", "match", "pins", "expires"]) else { return nil }
        let host = entry.required("host", &reader).flatMap { HostPattern.read($0, reader: &reader) }
        let pins = entry.required("pins", &reader).flatMap { reader.pins($0, "pins") }
        let match = entry["match"].map { reader.word($0, "match", of: GenericPolicy.Match.self) }
        let expires = entry["expires"].map { reader.date($0, "expires") }
        guard reader.problems.count == before, let host, let pins else { return nil }
        self.init(host: host, match: (match ?? .anyInPath) ?? .anyInPath, pins: pins, expires: expires ?? nil)
    }
}
