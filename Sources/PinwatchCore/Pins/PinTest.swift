/// One host entry's pins, held against what a server presents. For clients of which any matching pin is enough.
struct PinTest {
    /// The entry as the policy writes it, for the reason.
    let entry: String
    /// The pins that the client has loaded.
    let pins: [Pin]
    /// The client's own comparison.
    let matches: (Pin, CertificateSummary) -> Bool
    /// What a pin that does not match looks like instead: see ``PinDiagnosis``.
    let diagnose: (Pin, [CertificateSummary]) -> String?

    /// Compares with the leaf as sent, and nothing else.
    func leaf(of presentation: Presentation) -> Verdict {
        let leaf = presentation.assessment.certificates.prefix(1)
        return sent(Array(leaf), words: "the leaf")
    }

    /// Compares with the chain as far as it was built, for a client that looks at one that leads to no anchor.
    func sent(by presentation: Presentation) -> Verdict {
        let all = presentation.builtChain
        return sent(all, words: "any of the \(counted(all.count, "certificate")) sent")
    }

    /// Compares with every member of each path, the anchor included; paths that disagree leave it to the device.
    func paths(_ paths: [Path]) -> Verdict {
        let found = paths.map { first(in: $0.members, anchor: $0.anchor.fingerprint) }
        let shown = zip(paths, found).map { path, match in
            Verdict.PathVerdict(
                anchorSubject: path.anchor.subject, anchor: path.anchor.fingerprint,
                kind: match == nil ? .rejectPin : .accept)
        }
        var verdict: Verdict
        if let match = found.first ?? nil, !found.contains(nil) {
            verdict = accepted(match)
        } else if found.allSatisfy({ $0 == nil }) {
            let words =
                paths.count == 1
                ? "any of the \(counted(paths[0].members.count, "certificate")) of the path"
                : "any certificate of the \(paths.count) paths"
            verdict = rejected(paths.flatMap(\.members), words: words)
        } else {
            verdict = Verdict(
                .dependsOnPath, code: "paths_disagree",
                reason: "the pins for \(entry) hold on the path to \(anchors(paths, found) { $0 != nil }), "
                    + "not on the path to \(anchors(paths, found) { $0 == nil }); devices differ in which they take")
        }
        verdict.paths = shown
        return verdict
    }

    /// Compares with every member of the first path, for a client that builds one and asks for no other; the rest are
    /// shown in its order, and a note says where a device that comes to another would decide otherwise.
    func firstPath(of paths: [Path]) -> Verdict {
        let each = paths.map { self.paths([$0]) }
        guard var verdict = each.first else { return self.paths([]) }
        verdict.paths = each.flatMap(\.paths)
        if let other = zip(paths, each).first(where: { $0.1.kind != verdict.kind }) {
            verdict.notes.append(
                "a device that comes to \(other.0.anchor.shortName) instead decides otherwise: \(other.1.reason)")
        }
        return verdict
    }

    private func sent(_ certificates: [CertificateSummary], words: String) -> Verdict {
        first(in: certificates, anchor: nil).map(accepted) ?? rejected(certificates, words: words)
    }

    private func first(in members: [CertificateSummary], anchor: SHA256Digest?) -> PinMatch? {
        for (index, member) in members.enumerated() {
            guard let pin = pins.first(where: { matches($0, member) }) else { continue }
            let position = index == 0 ? "leaf" : member.fingerprint == anchor ? "anchor" : "intermediate"
            return PinMatch(pin: pin.text, position: position, certificate: member.fingerprint)
        }
        return nil
    }

    private func accepted(_ match: PinMatch) -> Verdict {
        Verdict(
            .accept, code: "pin_matched", reason: "\(match.pin) of \(entry) matches the \(match.position)",
            matched: match)
    }

    private func rejected(_ certificates: [CertificateSummary], words: String) -> Verdict {
        let key = certificates.first?.spki.map { "; the leaf's key is \($0.pin)" } ?? "; the leaf's key is unreadable"
        return Verdict(
            .rejectPin, code: "no_pin_matched",
            reason: (pins.count == 1
                ? "the only pin for \(entry) does not match " : "none of the \(pins.count) pins for \(entry) matches ")
                + words + key,
            notes: pins.compactMap { diagnose($0, certificates) })
    }

    private func anchors(_ paths: [Path], _ found: [PinMatch?], where holds: (PinMatch?) -> Bool) -> String {
        zip(paths, found).filter { holds($0.1) }.map { $0.0.anchor.subject ?? $0.0.anchor.fingerprint.hex }
            .joined(separator: " or ")
    }

    private func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
