/// NSPinnedDomains of an app's Info.plist (pin-semantics 3), which iOS 14 and macOS 11 brought.
///
/// Every entry that matches the host contributes: hashes are united within the leaf's list and within the authorities',
/// and both lists must be satisfied. trustd looks for a path that does it, so one is enough.
package struct ApplePinnedDomainsPolicy: PinPolicy {
    struct Entry {
        /// As the file spells it.
        let domain: String
        var includesSubdomains = PropertyFlag.boolean(false)
        /// `nil` where the key is left out, which is not the same as an empty list.
        var leaves: [Pin]?
        var authorities: [Pin]?
    }

    let entries: [Entry]

    private let places: HostPlaces

    init(entries: [Entry]) {
        self.entries = entries
        places = HostPlaces(entries.map(\.domain))
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["domains"]),
            let members = policy.required("domains", &reader).flatMap({ reader.members($0, "domains") })
        else { return nil }
        let entries = members.compactMap { Entry(from: $0, reader: &reader) }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        let matching = self.matching(presentation.host)
        guard !matching.isEmpty else { return presentation.appleUnlisted(near: nearMiss(for: presentation.host)) }
        let lists = PinnedIdentities(matching)
        guard lists.pinsAnything else {
            let near = "\(matching[0].domain) has neither leaf_identities nor ca_identities"
            return presentation.appleUnlisted(near: near)
        }
        let pinned = lists.verdict(for: presentation)
        return availability(presentation, pinned: pinned)
    }

    package func concerns(host: String) -> Bool {
        !matching(host).isEmpty || nearMiss(for: host) != nil
    }

    package func patterns(covering host: String) -> [String] { matching(host).map(\.domain) }

    /// An entry with both lists stands twice.
    package var hosts: [PinnedHost] {
        entries.flatMap { entry in
            let lists = [("leaf", entry.leaves), ("ca", entry.authorities)].compactMap { match, pins in
                pins.map { PinnedHost(pattern: entry.domain, match: match, pins: $0, expires: nil) }
            }
            return lists.isEmpty ? [PinnedHost(pattern: entry.domain, match: "none", pins: [], expires: nil)] : lists
        }
    }

    package var allPins: [Pin] { entries.flatMap(\.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] {
        matching(host).flatMap(\.pins)
    }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        PinnedIdentities.digest(of: pin).map { $0 == certificate.spki } ?? false
    }

    /// NSPinnedDomains has no end.
    package var expiries: [PinExpiry] { [] }

    /// What the system's age makes of it.
    private func availability(_ presentation: Presentation, pinned: Verdict) -> Verdict {
        let platform = presentation.release.platform
        let (name, since): (String, VersionNumber?)
        switch platform?.system {
        case .ios, nil: (name, since) = ("iOS", VersionNumber("14"))
        case .macos: (name, since) = ("macOS", VersionNumber("11"))
        case .android, .jvm, .linux:
            return Verdict(
                .notEvaluated, code: "other_platform",
                reason:
                    "NSPinnedDomains is read by Apple's systems alone, not on \(platform?.system.rawValue ?? "others")")
        }
        guard let since else { return pinned }
        let older = presentation.appleUnlisted(near: "\(name) reads NSPinnedDomains from \(since) on")
        guard let version = platform?.version else {
            return Verdict.newest("\(name) \(since) or newer", pinned, older: ("older systems", older))
        }
        return version < since ? older.withCode("platform_too_old") : pinned
    }

    private func matching(_ host: String) -> [Entry] { entries(about: host).filter { $0.matches(host) } }

    private func entries(about host: String) -> [Entry] { places.about(host).map { entries[$0] } }

    private func nearMiss(for host: String) -> String? {
        let asked = HostPattern.normalised(host)
        var near: String?
        for entry in entries(about: host) {
            let name = HostPattern.normalised(entry.domain)
            if name == asked { return "\(entry.domain) ends in a dot, and such a key never matches" }
            let bare = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
            guard near == nil, name != bare || entry.includesSubdomains != .boolean(false) else { continue }
            guard asked == bare || asked.hasSuffix("." + bare) else { continue }
            near = entry.whyNot(name: name)
        }
        return near
    }
}

extension ApplePinnedDomainsPolicy.Entry {
    fileprivate init?(from member: Node.Member, reader: inout NodeReader) {
        let before = reader.problems.count
        guard !member.key.isEmpty else {
            reader.report(member.keyMark, "a domain must not be empty")
            return nil
        }
        let allowed = ["includes_subdomains", "leaf_identities", "ca_identities"]
        guard let entry = reader.mapping(member.value, "domain \(member.key)", allowed: allowed) else { return nil }
        let includes = entry[allowed[0]].flatMap { reader.propertyFlag($0, allowed[0]) }
        let leaves = entry[allowed[1]].flatMap { reader.pins($0, allowed[1]) }
        let authorities = entry[allowed[2]].flatMap { reader.pins($0, allowed[2]) }
        guard reader.problems.count == before else { return nil }
        self.init(
            domain: member.key, includesSubdomains: includes ?? .boolean(false), leaves: leaves,
            authorities: authorities)
    }

    fileprivate var pins: [Pin] { (leaves ?? []) + (authorities ?? []) }

    /// Without regard to case; a dot at the host's end is dropped, one at the key's is not.
    fileprivate func matches(_ host: String) -> Bool {
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        let key = domain.lowercased()
        if name == key { return true }
        guard includesSubdomains.isTrue, let dot = name.firstIndex(of: ".") else { return false }
        return name[name.index(after: dot)...] == key
    }

    fileprivate func whyNot(name: String) -> String {
        if name.hasPrefix("*.") { return "\(domain) is taken letter for letter, for wildcards mean nothing here" }
        if domain.hasSuffix(".") { return "\(domain) ends in a dot, and such a key never matches" }
        switch includesSubdomains {
        case .boolean: return "\(domain) includes sub-domains of one more label only"
        case .other(let text):
            return "includes_subdomains of \(domain) is \(text), and only the boolean true includes sub-domains"
        }
    }
}

extension Verdict {
    /// The same if it is `unpinned`, under another word.
    fileprivate func withCode(_ code: String) -> Verdict {
        guard kind == .unpinned else { return self }
        var verdict = self
        verdict.code = code
        return verdict
    }
}
