internal import FoundationEssentials

/// Wultra's SSL pinning for iOS (pin-semantics 6): a list of whole certificates, looked up by the certificate's own common
/// name and not by the host.
///
/// What the list trusts is still left to the system to validate.
package struct WultraIOSPolicy: PinPolicy {
    /// What the app does when the list has nothing to say; the library leaves that to it.
    enum OnEmpty: String, CaseIterable {
        case reject, accept
    }

    struct Entry {
        /// Compared with the common name letter for letter.
        let name: String
        /// Base64 of SHA-256 over the certificate, as written.
        let fingerprint: String
        /// The last second at which the entry counts.
        let expires: Instant

        fileprivate var bytes: [UInt8]? { Data(base64Encoded: fingerprint).map { Array($0) } }
        fileprivate var pin: Pin? { bytes.flatMap { SHA256Digest($0) }.map { .certificate($0) } }
    }

    let entries: [Entry]
    /// `nil` where the app expects any name.
    let expectedNames: [String]?
    let onEmpty: OnEmpty
    /// What the file left out, and what was assumed.
    private let assumptions: [String]
    package let configurationError: Verdict?

    init(entries: [Entry], expectedNames: [String]? = nil, onEmpty: OnEmpty?) {
        self.entries = entries
        self.expectedNames = expectedNames
        self.onEmpty = onEmpty ?? .reject
        assumptions =
            onEmpty == nil
            ? ["the file does not say what the app does where the list has no entry: reject is assumed, as documented"]
            : []
        configurationError = entries.first { $0.bytes == nil }.map { entry in
            Verdict(
                .configError, code: "malformed_pin",
                reason:
                    "the fingerprint \(entry.fingerprint) of \(entry.name) is no base64, so the list cannot be read",
                notes: ["that the app is then left without a list is inferred"])
        }
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        let allowed = ["fingerprints", "expected_common_names", "on_empty"]
        guard let policy = reader.mapping(node, "policy", allowed: allowed) else { return nil }
        let items = policy.required(allowed[0], &reader).flatMap { reader.sequence($0, allowed[0]) } ?? []
        let entries = items.compactMap { Entry(from: $0, reader: &reader) }
        let names = policy[allowed[1]].flatMap { reader.sequence($0, allowed[1]) }?
            .compactMap { reader.string($0, "a name of expected_common_names") }
        let onEmpty = policy[allowed[2]].flatMap { reader.word($0, allowed[2], of: OnEmpty.self) }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries, expectedNames: names, onEmpty: onEmpty)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let error = configurationError { return error }
        guard let leaf = presentation.assessment.leaf else { return presentation.appleUnlisted(near: nil) }
        let (name, notes) = AppleSubjectSummary.read(leaf)
        return verdict(on: leaf, named: name, presentation).noting(notes)
    }

    /// The list goes by what is served, not by where.
    package func concerns(host: String) -> Bool { true }
    package var namesHosts: Bool { false }

    package var hosts: [PinnedHost] {
        entries.map {
            PinnedHost(pattern: $0.name, match: "leaf", pins: $0.pin.map { [$0] } ?? [], expires: $0.expires)
        }
    }

    package var allPins: [Pin] { entries.compactMap(\.pin) }

    /// Those whose name is the host, or its wildcard: which certificate is served cannot be told from the host alone.
    package func pins(for host: String, now: Instant) -> [Pin] {
        let names = HostPattern.covering(host)
        return entries.filter { $0.expires >= now && names.contains($0.name) }.compactMap(\.pin)
    }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        pin == .certificate(certificate.fingerprint)
    }

    /// Pinning ends with an entry only where the app lets through what the list does not know; elsewhere the app stops
    /// connecting instead.
    package var expiries: [PinExpiry] {
        onEmpty == .accept ? entries.map { PinExpiry(at: $0.expires, host: $0.name) } : []
    }

    private func verdict(
        on leaf: CertificateSummary, named name: String?, _ presentation: Presentation
    ) -> Verdict {
        let shown = name.map { "\"\($0)\"" } ?? "no name"
        if let expectedNames, !(name.map(expectedNames.contains) ?? false) {
            return Verdict(
                .rejectPin, code: "common_name_not_expected",
                reason: "the leaf's common name is \(shown), which expected_common_names does not hold")
        }
        let current = entries.filter { $0.expires >= presentation.now }
        let named = current.filter { $0.name == name }
        guard !named.isEmpty else { return empty(presentation, shown, name) }
        guard let entry = named.first(where: { $0.pin == .certificate(leaf.fingerprint) }) else {
            return Verdict(
                .rejectPin, code: "no_pin_matched",
                reason: "none of the \(named.count) fingerprints for \(shown) is the leaf's, which is "
                    + "cert-sha256:\(leaf.fingerprint.hex)",
                notes: named.compactMap(\.pin).compactMap {
                    PinDiagnosis.note($0, against: presentation.builtChain, comparing: .certificate)
                })
        }
        let trust = AppleTrust.evaluate(presentation, as: .serverWithHost)
        let pin = "cert-sha256:" + leaf.fingerprint.hex
        return trust.refusal
            ?? Verdict(
                .accept, code: "pin_matched", reason: "\(entry.fingerprint) of \(entry.name) is the leaf",
                notes: trust.notes, matched: PinMatch(pin: pin, position: "leaf", certificate: leaf.fingerprint))
    }

    private func empty(_ presentation: Presentation, _ shown: String, _ name: String?) -> Verdict {
        let ended = entries.contains { $0.name == name }
        let why = ended ? "every entry for \(shown) has expired" : "the list has no entry for \(shown)"
        switch onEmpty {
        case .reject:
            return Verdict(
                .rejectPin, code: "empty", reason: "\(why), the leaf's common name, and the app then refuses it",
                notes: assumptions)
        case .accept:
            let trust = AppleTrust.evaluate(presentation, as: .serverWithHost)
            return trust.refusal
                ?? Verdict(
                    .unpinned, by: .trap, code: "empty",
                    reason: "\(why), the leaf's common name, and the app lets that pass, so nothing is pinned",
                    notes: trust.notes)
        }
    }
}

extension WultraIOSPolicy.Entry {
    fileprivate init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard
            let entry = reader.mapping(
                node, "an entry of fingerprints", allowed: ["name", "fingerprint", "expires"])
        else { return nil }
        let name = entry.required("name", &reader).flatMap { reader.string($0, "name") }
        let fingerprint = entry.required("fingerprint", &reader).flatMap { reader.string($0, "fingerprint") }
        let expires = entry.required("expires", &reader)
            .flatMap { reader.integer($0, "expires, in Unix seconds,", in: 0...253_402_300_799) }
        guard reader.problems.count == before, let name, let fingerprint, let expires else { return nil }
        self.init(name: name, fingerprint: fingerprint, expires: Instant(unixSeconds: Int64(expires)))
    }
}
