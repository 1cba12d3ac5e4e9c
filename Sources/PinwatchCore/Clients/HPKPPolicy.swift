/// HTTP Public Key Pinning as user agents did it (RFC 7469, pin-semantics 8): any pin on any member of the validated
/// path, for the exact host, else for the nearest one above it that includes sub-domains. Addresses are never pinned.
package struct HPKPPolicy: PinPolicy {
    struct Entry: Sendable {
        /// Lower case, no trailing dot.
        let host: String
        let pins: [Pin]
        let includesSubdomains: Bool
        /// Seconds after a visit; 0 takes the pins back, `nil` says nothing of it.
        let maxAge: Int?
        let reportOnly: Bool
    }

    let entries: [Entry]

    private let places: HostPlaces

    init(entries: [Entry]) {
        self.entries = entries
        places = HostPlaces(entries.map(\.host))
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["hosts"]) else { return nil }
        let items = policy.required("hosts", &reader).flatMap { reader.sequence($0, "hosts") } ?? []
        var entries: [Entry] = []
        var hosts: Set<String> = []
        for item in items {
            guard let entry = Entry(from: item, reader: &reader) else { continue }
            if !hosts.insert(entry.host).inserted {
                reader.report(item.mark, "host \(entry.host) is listed already; put its pins together")
            }
            entries.append(entry)
        }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let rejection = presentation.plainRejection { return rejection }
        guard let entry = entry(for: presentation.host) else {
            return presentation.notListed(near: nearMiss(for: presentation.host))
        }
        if let unnoted = unnoted(entry) { return unnoted }
        let paths = presentation.plausiblePaths
        var verdict = test(entry).paths(paths)
        if verdict.kind != .accept, paths.contains(where: { $0.source == .user }) {
            verdict.notes.append("a user agent may skip pins where the chain ends in an anchor that the user added")
        }
        if verdict.kind == .accept, let path = paths.first, isWithoutBackup(entry, path) {
            verdict.notes.append(
                "every pin for \(entry.host) is on the path: a user agent notes pins only if one is not (section 2.5)")
        }
        guard entry.reportOnly, verdict.kind == .rejectPin || verdict.kind == .dependsOnPath else { return verdict }
        return Verdict(
            .acceptReport, code: "report_only",
            reason: "the pins for \(entry.host) are reported and not enforced: \(verdict.reason)", notes: verdict.notes,
            paths: verdict.paths)
    }

    package func concerns(host: String) -> Bool { entry(for: host) != nil || nearMiss(for: host) != nil }

    package func patterns(covering host: String) -> [String] { entry(for: host).map { [$0.host] } ?? [] }

    package var hosts: [PinnedHost] {
        entries.map { PinnedHost(pattern: $0.host, match: "any_in_path", pins: $0.pins, expires: nil) }
    }

    package var allPins: [Pin] { entries.flatMap(\.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] {
        entry(for: host).map { unnoted($0) == nil ? $0.pins : [] } ?? []
    }

    /// Base64 with its padding, of 32 bytes; other hashes are ignored (section 2.1.1).
    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { $0.base64 == text } ?? false
        case .spkiSHA1, .certificate, .file: false
        }
    }

    /// Ages count from each visit of each user agent, so there is no instant to name.
    package var expiries: [PinExpiry] { [] }

    private func test(_ entry: Entry) -> PinTest {
        PinTest(
            entry: entry.host, pins: entry.pins, matches: pin(_:matches:),
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: .spki) })
    }

    private func entry(for host: String) -> Entry? {
        let name = HostPattern.normalised(host)
        guard IPAddress(name) == nil else { return nil }
        let entries = places.about(host).map { self.entries[$0] }
        if let exact = entries.first(where: { $0.host == name }) { return exact }
        return entries.filter { $0.includesSubdomains && name.hasSuffix("." + $0.host) }
            .max { $0.host.utf8.count < $1.host.utf8.count }
    }

    private func nearMiss(for host: String) -> String? {
        let name = HostPattern.normalised(host)
        let entries = places.about(host).map { self.entries[$0] }
        if entries.contains(where: { $0.host == name }) { return "user agents never pin addresses" }
        return entries.first { name.hasSuffix("." + $0.host) }
            .map { "the pins for \($0.host) do not include sub-domains" }
    }

    /// Why no user agent holds pins by this entry.
    func unnoted(_ entry: Entry) -> Verdict? {
        if entry.maxAge == 0 {
            return Verdict(
                .unpinned, by: .trap, code: "expired",
                reason: "max-age=0 for \(entry.host) takes the pins back, so nothing is pinned")
        }
        guard Set(entry.pins.filter(Self.isUsable)).count < 2 else { return nil }
        return Verdict(
            .unpinned, by: .trap, code: "too_few_pins",
            reason: "a user agent notes the pins for \(entry.host) only if one matches and another does not, and there "
                + "are fewer than two that it can read; so nothing is pinned")
    }

    private static func isUsable(_ pin: Pin) -> Bool {
        switch pin {
        case .spki(let text):
            PinText.bytes(base64: text).map { $0.count == 32 && PinText.canonical($0) == text } ?? false
        case .spkiSHA1, .certificate, .file: false
        }
    }

    private func isWithoutBackup(_ entry: Entry, _ path: Path) -> Bool {
        entry.pins.filter(Self.isUsable).allSatisfy { pin in path.members.contains { self.pin(pin, matches: $0) } }
    }
}

extension HPKPPolicy.Entry {
    fileprivate init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        let keys = ["host", "pins", "include_subdomains", "max_age", "report_only"]
        guard let entry = reader.mapping(node, "an entry of hosts", allowed: keys) else { return nil }
        let host = entry.required("host", &reader).flatMap { HostPattern.read($0, reader: &reader) }
        let pins = entry.required("pins", &reader).flatMap { reader.pins($0, "pins") }
        let includes = entry["include_subdomains"].flatMap { reader.flag($0, "include_subdomains") }
        let age = entry["max_age"].flatMap { reader.integer($0, "max_age", in: 0...Int(Int32.max)) }
        let reportOnly = entry["report_only"].flatMap { reader.flag($0, "report_only") }
        guard reader.problems.count == before, let host, let pins else { return nil }
        self.init(
            host: host, pins: pins, includesSubdomains: includes ?? false, maxAge: age, reportOnly: reportOnly ?? false)
    }
}
