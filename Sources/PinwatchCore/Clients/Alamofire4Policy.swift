/// Alamofire 4's ServerTrustPolicyManager (pin-semantics 1.2, read from 4.9.1).
///
/// Hosts are looked up letter for letter, and one that is not listed is left to plain validation: there is no flag that
/// refuses it. Pinned certificates are not compared but made the only anchors, unless the chain is not validated at all.
package struct Alamofire4Policy: PinPolicy {
    /// The cases of ServerTrustPolicy.
    enum Word: String, CaseIterable {
        case pinCertificates = "pin_certificates"
        case pinPublicKeys = "pin_public_keys"
        case standard = "default"
        case revoked, disabled

        fileprivate var kind: BundledPins.Kind? {
            switch self {
            case .pinCertificates: .certificates
            case .pinPublicKeys: .keys
            case .standard, .revoked, .disabled: nil
            }
        }
    }

    struct Entry {
        let host: String
        let word: Word
        let pins: BundledPins
        var validatesChain = true
        var validatesHost = true
    }

    let entries: [Entry]
    private let index: ExactHosts

    init(entries: [Entry]) {
        self.entries = entries
        index = ExactHosts(entries.map(\.host))
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["policies"]),
            let members = policy.required("policies", &reader).flatMap({ reader.members($0, "policies") })
        else { return nil }
        let entries = members.compactMap { Entry(from: $0, reader: &reader) }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        guard let entry = entry(for: presentation.host) else {
            return presentation.appleUnlisted(near: near(presentation.host))
        }
        return entry.verdict(for: presentation).noting(entry.pins.notes)
    }

    package func concerns(host: String) -> Bool { entry(for: host) != nil || near(host) != nil }

    package func patterns(covering host: String) -> [String] { entry(for: host).map { [$0.host] } ?? [] }

    package var hosts: [PinnedHost] {
        entries.map { PinnedHost(pattern: $0.host, match: $0.word.rawValue, pins: $0.pins.written, expires: nil) }
    }

    package var allPins: [Pin] { entries.flatMap(\.pins.written) }

    package func pins(for host: String, now: Instant) -> [Pin] { entry(for: host)?.pins.loaded ?? [] }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        entries.contains { $0.pins.loaded.contains(pin) && $0.pins.matches(pin, certificate) }
    }

    /// Alamofire's pins have no end.
    package var expiries: [PinExpiry] { [] }

    private func entry(for host: String) -> Entry? { index[host].map { entries[$0] } }

    private func near(_ host: String) -> String? { index.nearMiss(for: host) }
}

extension Alamofire4Policy.Entry {
    fileprivate init?(from member: Node.Member, reader: inout NodeReader) {
        let before = reader.problems.count
        guard !member.key.isEmpty else {
            reader.report(member.keyMark, "a host must not be empty")
            return nil
        }
        let allowed = ["policy", "pins", "validate_certificate_chain", "validate_host"]
        guard let entry = reader.mapping(member.value, "host \(member.key)", allowed: allowed),
            let word = entry.required("policy", &reader)
                .flatMap({ reader.word($0, "policy", of: Alamofire4Policy.Word.self) })
        else { return nil }
        let node = word.kind == nil ? entry["pins"] : entry.required("pins", &reader)
        let pins = node.flatMap { reader.pins($0, "pins") } ?? []
        let chain = entry["validate_certificate_chain"].flatMap { reader.flag($0, "validate_certificate_chain") }
        let host = entry["validate_host"].flatMap { reader.flag($0, "validate_host") }
        guard reader.problems.count == before else { return nil }
        self.init(
            host: member.key, word: word, pins: BundledPins(word.kind == nil ? [] : pins, as: word.kind ?? .keys),
            validatesChain: chain ?? true, validatesHost: host ?? true)
    }

    fileprivate func verdict(for presentation: Presentation) -> Verdict {
        let check: AppleTrust.Check = validatesHost ? .serverWithHost : .server
        switch word {
        case .disabled:
            return nothingCompared(["disableEvaluation lets every certificate through, whoever made it"])
        case .standard:
            let trust = AppleTrust.evaluate(presentation, as: check)
            return trust.refusal ?? nothingCompared(trust.notes)
        case .revoked:
            let trust = AppleTrust.evaluate(presentation, as: check)
            let note = "whether the certificate is revoked, which this policy asks, was not looked at here"
            return trust.refusal ?? nothingCompared([note] + trust.notes)
        case .pinPublicKeys: return keys(check, presentation)
        case .pinCertificates: return certificates(check, presentation)
        }
    }

    private func keys(_ check: AppleTrust.Check, _ presentation: Presentation) -> Verdict {
        guard validatesChain else { return compared(with: presentation.plausiblePaths, presentation) }
        let trust = AppleTrust.evaluate(presentation, as: check)
        return trust.refusal ?? compared(with: trust.paths, presentation).noting(trust.notes)
    }

    private func certificates(_ check: AppleTrust.Check, _ presentation: Presentation) -> Verdict {
        guard validatesChain else {
            let verdict = compared(with: presentation.plausiblePaths, presentation)
            let note = "validate_host has no effect, for pinned certificates are compared without any evaluation"
            return validatesHost ? verdict.noting([note]) : verdict
        }
        guard !pins.loaded.isEmpty else {
            return Verdict(
                .rejectChain, code: "empty",
                reason: "the policy of \(host) is left with no certificates, which are its only anchors")
        }
        let trust = AppleTrust.evaluate(presentation, as: check, anchors: pins.anchors(in: presentation))
        // A path that ends in a pinned certificate holds one: to be valid is the whole test.
        return trust.refusal ?? pins.verdict(for: host, paths: trust.paths, of: presentation).noting(trust.notes)
    }

    private func compared(with paths: [Path], _ presentation: Presentation) -> Verdict {
        guard !pins.loaded.isEmpty else {
            return Verdict(
                .rejectPin, code: "empty", reason: "the policy of \(host) is left with no pins, so nothing can match")
        }
        return pins.verdict(for: host, paths: paths, of: presentation)
    }

    private func nothingCompared(_ notes: [String]) -> Verdict {
        Verdict(
            .accept, code: "no_pins_compared",
            reason: "the policy of \(host) is \(word.rawValue), which compares no pin", notes: notes)
    }
}
