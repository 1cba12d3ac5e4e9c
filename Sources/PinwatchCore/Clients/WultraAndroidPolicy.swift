/// Wultra's dynamic list on Android (pin-semantics 6): the whole leaf certificate's SHA-256, looked up under the
/// certificate's own common name, whatever host is contacted. Its trust manager validates neither chain nor dates; the
/// host name is left to the HTTP stack.
package struct WultraAndroidPolicy: PinPolicy {
    let list: WultraList
    /// A list that cannot be decoded is not taken in at all. Worked out once, for it reads every entry, and every verdict
    /// asks for it.
    package let configurationError: Verdict?

    init(list: WultraList) {
        self.list = list
        configurationError = list.entries.first { AndroidBase64.decode($0.fingerprint) == nil }.map { bad in
            Verdict(
                .configError, code: "malformed_pin",
                reason: "the fingerprint \(bad.fingerprint) of \(bad.name) is no base64, so the list cannot be read",
                notes: ["that one bad entry loses the whole list is inferred from the client's source"])
        }
    }

    package init?(from node: Node, reader: inout NodeReader) {
        guard let list = WultraList(from: node, reader: &reader) else { return nil }
        self.init(list: list)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let error = configurationError { return error }
        let plain = presentation.plainRejection
        let skipped = plain.flatMap { rejection in
            rejection.code == "host_mismatch"
                ? nil : "the chain is not validated on Android, although plain validation fails: \(rejection.reason)"
        }
        return decided(presentation).noting(skipped.map { [$0] } ?? [])
    }

    private func decided(_ presentation: Presentation) -> Verdict {
        guard let leaf = presentation.assessment.leaf, let name = leaf.commonName else {
            return Verdict(
                .rejectPin, code: "no_common_name",
                reason: "the leaf has no common name to look up, so Wultra's client fails",
                notes: ["what the client does without a common name is inferred from its types"])
        }
        if let expected = list.expectedCommonNames, !expected.contains(name) {
            return Verdict(
                .rejectPin, code: "common_name_not_expected",
                reason: "the leaf's common name \(name) is not among expected_common_names")
        }
        let named = list.entries.filter { $0.name == name && presentation.now <= $0.expires }
        guard !named.isEmpty else { return empty(name, presentation) }
        guard let entry = named.first(where: { AndroidBase64.decode($0.fingerprint) == leaf.fingerprint.bytes }) else {
            return Verdict(
                .rejectPin, code: "no_pin_matched",
                reason: (named.count == 1
                    ? "the only fingerprint for \(name) is not the leaf's"
                    : "none of the \(named.count) fingerprints for \(name) is the leaf's")
                    + "; the leaf's is \(PinText.canonical(leaf.fingerprint.bytes))",
                notes: named.compactMap { Self.diagnosis($0, leaf) })
        }
        if let rejection = presentation.hostRejection { return rejection }
        return Verdict(
            .accept, code: "pin_matched", reason: "the fingerprint for \(name) is the leaf's",
            matched: PinMatch(
                pin: Self.pin(entry)?.text ?? entry.fingerprint, position: "leaf", certificate: leaf.fingerprint))
    }

    private func empty(_ name: String, _ presentation: Presentation) -> Verdict {
        let expired = list.entries.contains { $0.name == name }
        let why =
            list.entries.isEmpty
            ? "the list has no entries"
            : expired ? "every entry for \(name) is past its end" : "no entry is named \(name)"
        switch list.onEmpty {
        case .reject, nil:
            return Verdict(
                .rejectPin, code: "empty", reason: "\(why), and the app refuses what the list leaves open",
                notes: list.onEmpty == nil
                    ? ["the file does not say what the app does then: reject is assumed, as documented"] : [])
        case .accept:
            return presentation.hostRejection
                ?? Verdict(
                    .unpinned, by: .trap, code: "empty",
                    reason: "\(why), and the app lets through what the list leaves open")
        }
    }

    /// The lookup is by what a certificate calls itself, so any host may be concerned.
    package func concerns(host: String) -> Bool { true }
    package var namesHosts: Bool { false }

    package var hosts: [PinnedHost] {
        list.entries.map { entry in
            PinnedHost(
                pattern: entry.name, match: "leaf", pins: Self.pin(entry).map { [$0] } ?? [], expires: entry.expires)
        }
    }

    package var allPins: [Pin] { list.entries.compactMap(Self.pin) }

    /// Those of entries that are named as a certificate for the host usually calls itself: the host, or the wildcard
    /// above it.
    package func pins(for host: String, now: Instant) -> [Pin] {
        let names = HostPattern.covering(host)
        return list.entries.filter { names.contains($0.name) && now <= $0.expires }.compactMap(Self.pin)
    }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        switch pin {
        case .certificate(let digest): digest == certificate.fingerprint
        case .spki, .spkiSHA1, .file: false
        }
    }

    package var expiries: [PinExpiry] { list.entries.map { PinExpiry(at: $0.expires, host: $0.name) } }

    private static func pin(_ entry: WultraList.Entry) -> Pin? {
        AndroidBase64.decode(entry.fingerprint).flatMap { SHA256Digest($0) }.map { .certificate($0) }
    }

    private static func diagnosis(_ entry: WultraList.Entry, _ leaf: CertificateSummary) -> String? {
        guard let pin = pin(entry) else {
            return "\(entry.fingerprint) does not come to 32 bytes, so it never matches"
        }
        return PinDiagnosis.note(pin, against: [leaf], comparing: .certificate)
    }
}
