/// AFNetworking 4's AFSecurityPolicy (pin-semantics 7.3): one set of pins for every host that the session talks to.
package struct AFNetworkingPolicy: PinPolicy {
    /// AFSSLPinningMode.
    enum Mode: String, CaseIterable {
        case unpinned = "none"
        case certificate
        case publicKey = "public_key"
    }

    let mode: Mode
    let pins: BundledPins
    let allowsInvalid: Bool
    let validatesDomainName: Bool

    init(mode: Mode, pins: [Pin], allowsInvalid: Bool = false, validatesDomainName: Bool = true) {
        self.mode = mode
        self.pins = BundledPins(pins, as: mode == .certificate ? .certificates : .keys)
        self.allowsInvalid = allowsInvalid
        self.validatesDomainName = validatesDomainName
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        let allowed = ["mode", "pins", "allow_invalid", "validates_domain_name"]
        guard let policy = reader.mapping(node, "policy", allowed: allowed) else { return nil }
        let mode = policy["mode"].flatMap { reader.word($0, "mode", of: Mode.self) } ?? .unpinned
        let node = mode == .unpinned ? policy["pins"] : policy.required("pins", &reader)
        let pins = node.flatMap { reader.pins($0, "pins") } ?? []
        let allowsInvalid = policy["allow_invalid"].flatMap { reader.flag($0, "allow_invalid") }
        let validates = policy["validates_domain_name"].flatMap { reader.flag($0, "validates_domain_name") }
        guard reader.problems.count == before else { return nil }
        self.init(
            mode: mode, pins: pins, allowsInvalid: allowsInvalid ?? false, validatesDomainName: validates ?? true)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if allowsInvalid, validatesDomainName, mode == .unpinned || pins.written.isEmpty {
            return Verdict(
                .rejectPin, code: "empty",
                reason:
                    "AFNetworking refuses every host: to allow invalid certificates and yet validate the domain name "
                    + "it must be given pins and a pinning mode")
        }
        let trust = systemTrust(presentation)
        if let refusal = trust.refusal { return refusal.noting(notes) }
        let verdict: Verdict
        switch mode {
        case .unpinned:
            verdict = Verdict(
                .accept, code: "no_pins_compared", reason: "the pinning mode is none, which compares no pin",
                notes: allowsInvalid ? ["invalid certificates are allowed: everybody's is let through"] : [])
        case .publicKey: verdict = publicKeys(trust.paths, presentation)
        case .certificate: verdict = certificates(presentation)
        }
        return verdict.noting(notes + trust.notes)
    }

    /// Pinning or not, the same is asked of every host.
    package func concerns(host: String) -> Bool { true }
    package var namesHosts: Bool { false }

    package var hosts: [PinnedHost] {
        mode == .unpinned ? [] : [PinnedHost(pattern: "*", match: mode.rawValue, pins: pins.written, expires: nil)]
    }

    package var allPins: [Pin] { pins.written }

    package func pins(for host: String, now: Instant) -> [Pin] { mode == .unpinned ? [] : pins.loaded }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        mode != .unpinned && pins.matches(pin, certificate)
    }

    /// AFNetworking's pins have no end.
    package var expiries: [PinExpiry] { [] }

    private var check: AppleTrust.Check { validatesDomainName ? .serverWithHost : .anyPurpose }

    private var notes: [String] {
        guard mode != .unpinned else { return [] }
        guard mode == .certificate, pins.loaded.count < pins.written.count else { return pins.notes }
        return pins.notes + [
            "AFNetworking may crash over a bundled file that is no DER certificate, which was not seen on a device"
        ]
    }

    /// The first evaluation, which goes by the device's anchors; one that is allowed to fail still builds the chain.
    private func systemTrust(_ presentation: Presentation) -> AppleTrust {
        guard allowsInvalid else { return AppleTrust.evaluate(presentation, as: check) }
        return AppleTrust(refusal: nil, paths: presentation.plausiblePaths, notes: [])
    }

    private func publicKeys(_ paths: [Path], _ presentation: Presentation) -> Verdict {
        guard !pins.loaded.isEmpty else { return empty }
        return pins.verdict(for: "all hosts", paths: paths, of: presentation)
    }

    /// The second evaluation, by the pinned certificates as the only anchors; then the chain must hold one, which a path
    /// that ends in one does.
    private func certificates(_ presentation: Presentation) -> Verdict {
        guard !pins.loaded.isEmpty else { return empty }
        let trust = AppleTrust.evaluate(presentation, as: check, anchors: pins.anchors(in: presentation))
        return trust.refusal
            ?? pins.verdict(for: "all hosts", paths: trust.paths, of: presentation).noting(trust.notes)
    }

    private var empty: Verdict {
        Verdict(.rejectPin, code: "empty", reason: "the app is left with no pins, so AFNetworking refuses every host")
    }
}
