internal import FoundationEssentials

/// The two lists that NSPinnedDomains comes to for a host, and how trustd holds a path against them.
struct PinnedIdentities {
    /// A list is checked if any entry has its key, were it empty.
    private struct List {
        /// The policy's key.
        let name: String
        /// The entries that have it.
        let domains: [String]
        let pins: [Pin]

        init?(_ name: String, _ lists: [(domain: String, pins: [Pin]?)]) {
            let given = lists.filter { $0.pins != nil }
            guard !given.isEmpty else { return nil }
            self.name = name
            domains = given.map(\.domain)
            pins = given.flatMap { $0.pins ?? [] }
        }
    }

    private let leaves: List?
    private let authorities: List?
    private let entry: String

    init(_ entries: [ApplePinnedDomainsPolicy.Entry]) {
        leaves = List("leaf_identities", entries.map { ($0.domain, $0.leaves) })
        authorities = List("ca_identities", entries.map { ($0.domain, $0.authorities) })
        entry = entries.map(\.domain).joined(separator: " and ")
    }

    var pinsAnything: Bool { leaves != nil || authorities != nil }

    /// Accepts if one path does: trustd searches for it.
    func verdict(for presentation: Presentation) -> Verdict {
        let trust = AppleTrust.evaluate(presentation, as: .serverWithHost)
        if let refusal = trust.refusal { return refusal }
        let judged = trust.paths.map { (path: $0, verdict: verdict(on: $0)) }
        let accepted = judged.first { $0.verdict.kind == .accept }
        guard var verdict = (accepted ?? judged.first)?.verdict else {
            return verdict(on: presentation.builtChain, anchor: nil).noting(trust.notes)
        }
        verdict.paths = judged.map {
            Verdict.PathVerdict(
                anchorSubject: $0.path.anchor.subject, anchor: $0.path.anchor.fingerprint, kind: $0.verdict.kind)
        }
        return verdict.noting(trust.notes)
    }

    /// What Apple's decoder makes of a pin: it skips characters that are not base64 and asks for no length; an entry that
    /// still cannot be decoded is skipped without a word.
    static func digest(of pin: Pin) -> SHA256Digest? {
        switch pin {
        case .spki(let text):
            return Data(base64Encoded: text, options: .ignoreUnknownCharacters).flatMap { SHA256Digest(Array($0)) }
        case .file(_, .certificate(let file, _)): return file.spki
        case .file(_, .publicKey(let spki)): return spki
        case .spkiSHA1, .certificate: return nil
        }
    }

    private func verdict(on path: Path) -> Verdict { verdict(on: path.members, anchor: path.anchor.fingerprint) }

    private func verdict(on members: [CertificateSummary], anchor: SHA256Digest?) -> Verdict {
        var match: PinMatch?
        for (list, range) in [(authorities, members.indices.dropFirst()), (leaves, members.indices.prefix(1))] {
            guard let list else { continue }
            guard let found = Self.first(list.pins, members, range, anchor) else {
                return rejected(by: list, members)
            }
            match = found
        }
        return Verdict(
            .accept, code: "pin_matched",
            reason: match.map { "\($0.pin) of \(entry) matches the \($0.position)" } ?? "nothing is pinned",
            matched: match)
    }

    private static func first(
        _ pins: [Pin], _ members: [CertificateSummary], _ range: Range<Int>, _ anchor: SHA256Digest?
    ) -> PinMatch? {
        for index in range {
            let member = members[index]
            guard let pin = pins.first(where: { digest(of: $0).map { $0 == member.spki } ?? false }) else { continue }
            let position = index == 0 ? "leaf" : member.fingerprint == anchor ? "anchor" : "intermediate"
            return PinMatch(pin: pin.text, position: position, certificate: member.fingerprint)
        }
        return nil
    }

    private func rejected(by list: List, _ members: [CertificateSummary]) -> Verdict {
        let isLeaf = list.name == leaves?.name
        let place = "\(list.name) of \(list.domains.joined(separator: " and "))"
        guard list.pins.contains(where: { Self.digest(of: $0) != nil }) else {
            return Verdict(
                .rejectPin, code: "empty", reason: "\(place) is left with no hash to compare, which Apple refuses",
                notes: unreadable(list))
        }
        let words =
            isLeaf
            ? "matches none of them; the leaf's key is \(members.first?.spki?.pin ?? "unreadable")"
            : members.count < 2
                ? "cannot match, for the path is the leaf alone"
                : "matches none of the \(members.count - 1) certificates above the leaf"
        let subject = isLeaf ? "the leaf, held against \(place), " : place + " "
        return Verdict(
            .rejectPin, code: "no_pin_matched", reason: subject + words,
            notes: unreadable(list) + misplaced(list, isLeaf: isLeaf, members)
                + list.pins.compactMap { PinDiagnosis.note($0, against: members, comparing: .spki) })
    }

    private func unreadable(_ list: List) -> [String] {
        list.pins.filter { Self.digest(of: $0) == nil }
            .map { "\($0.text) in \(list.name) comes to no SHA-256 of a key, so it can match nothing" }
    }

    /// A hash in the list of the other position.
    private func misplaced(_ list: List, isLeaf: Bool, _ members: [CertificateSummary]) -> [String] {
        let others = isLeaf ? Array(members.dropFirst()) : Array(members.prefix(1))
        return list.pins.filter { pin in Self.digest(of: pin).map { key in others.contains { $0.spki == key } } ?? false
        }
        .map { pin in
            isLeaf
                ? "\(pin.text) is the key of a certificate above the leaf, where leaf_identities holds the leaf's alone"
                : "\(pin.text) is the leaf's key, where ca_identities counts above the leaf only"
        }
    }
}
