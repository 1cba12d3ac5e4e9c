/// Pins of whole certificates, and hashes of another part of a known one.
enum CertificatePinLint {
    static func traps(_ layer: LintedLayer) -> [PolicyTrap] {
        layer.entries.flatMap { entry in
            entry.pins.flatMap { pin in certificate(pin, entry, layer) + wrongHash(pin, entry, layer) }
        }
    }

    private static func certificate(_ pin: Pin, _ entry: LintedEntry, _ layer: LintedLayer) -> [PolicyTrap] {
        guard layer.probe.compared(pin) == .certificate else { return [] }
        let known = known(pin, layer)
        var traps: [PolicyTrap] = []
        // Lists with an end are renewed by their server.
        if entry.expires == nil, entry.match == "leaf" || known.map({ $0.isCA != true }) ?? false {
            traps.append(
                PolicyTrap(
                    .leafCertificatePin, .warning, host: entry.host, pin: pin,
                    message:
                        "\(entry.subject) pins a whole leaf certificate: every renewal is another one, the same key or "
                        + "not, and breaks the release.",
                    advice: "Pin the key instead, and add a backup key's pin."))
        }
        if let ended = known?.notAfter, layer.facts.now > ended {
            traps.append(
                PolicyTrap(
                    .pinnedCertificateExpired, .warning, host: entry.host, pin: pin,
                    message:
                        "The certificate \(entry.written(pin)) of \(entry.name) expired on \(Wording.day(ended)), so "
                        + "no host serves it any more.",
                    advice: "Pin the key of what is served now, and a backup key's."))
        }
        return traps
    }

    private static func known(_ pin: Pin, _ layer: LintedLayer) -> CertificateSummary? {
        if case .file(_, .certificate(let certificate, _)) = pin { return certificate }
        guard case .certificate(let digest) = pin else { return nil }
        return layer.facts.certificates.first { $0.fingerprint == digest }
    }

    private static func wrongHash(_ pin: Pin, _ entry: LintedEntry, _ layer: LintedLayer) -> [PolicyTrap] {
        guard !layer.facts.certificates.isEmpty, let compared = layer.probe.compared(pin),
            let digest = PinProbe.digest(pin)
        else { return [] }
        for certificate in layer.facts.certificates.prefix(200) {
            let kinds: [(kind: PinDiagnosis.Compared, digest: SHA256Digest?)] = [
                (.spki, certificate.spki), (.rawKey, certificate.rawKeySHA256), (.certificate, certificate.fingerprint),
            ]
            guard let hit = kinds.first(where: { $0.digest == digest }) else { continue }
            guard hit.kind != compared else { return [] }
            let right = kinds.first { $0.kind == compared }?.digest?.base64
            return [
                PolicyTrap(
                    .wrongHash, .error, host: entry.host, pin: pin,
                    message:
                        "\(entry.written(pin)) of \(entry.name) is the hash of \(hit.kind.of) of "
                        + "\(certificate.shortName), but "
                        + "this client compares \(compared.words): it never matches.",
                    advice:
                        "Write "
                        + "\(right.map { compared == .certificate ? "the certificate's own hash" : $0 } ?? "its hash") "
                        + "in its place.")
            ]
        }
        return []
    }
}

extension PinDiagnosis.Compared {
    fileprivate var of: String {
        switch self {
        case .certificate: "the whole certificate"
        case .spki: "the SubjectPublicKeyInfo"
        case .rawKey: "the raw key"
        }
    }
}
