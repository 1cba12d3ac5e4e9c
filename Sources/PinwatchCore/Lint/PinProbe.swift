/// Asks a policy what it compares, by certificates that are made up for the question: so its own strictness answers.
struct PinProbe {
    let policy: any PinPolicy

    /// Whether there is any key or certificate that the pin can match, were it made of what its text means.
    func canMatch(_ pin: Pin) -> Bool {
        Self.certificate(of: pin).map { policy.pin(pin, matches: $0) } ?? false
    }

    /// What the policy hashes before it compares this pin; `nil` for a pin that can match nothing.
    func compared(_ pin: Pin) -> PinDiagnosis.Compared? {
        guard let whole = Self.certificate(of: pin) else { return nil }
        let other = SHA256Digest.repeating(0x5C)
        var (key, rawKey, certificate) = (whole, whole, whole)
        (key.fingerprint, key.rawKeySHA256) = (other, other)
        (rawKey.fingerprint, rawKey.spki, rawKey.spkiSHA1) = (other, other, nil)
        (certificate.spki, certificate.rawKeySHA256, certificate.spkiSHA1) = (other, other, nil)
        if policy.pin(pin, matches: key) { return .spki }
        if policy.pin(pin, matches: certificate) { return .certificate }
        return policy.pin(pin, matches: rawKey) ? .rawKey : nil
    }

    /// The SHA-256 that a pin means, whatever the notation: what two pins share is one pin.
    static func digest(_ pin: Pin) -> SHA256Digest? {
        switch pin {
        case .spki(let text): PinText.sha256(bare(text))
        case .spkiSHA1: nil
        case .certificate(let digest): digest
        case .file(_, .publicKey(let spki)): spki
        case .file(_, .certificate(let certificate, _)): certificate.spki
        }
    }

    /// A certificate that a pin with this text would have been made of.
    private static func certificate(of pin: Pin) -> CertificateSummary? {
        if case .file(_, .certificate(let certificate, _)) = pin { return certificate }
        if case .spkiSHA1(let text) = pin {
            var certificate = made(.repeating(0x36))
            certificate.spkiSHA1 = PinText.sha1(text)
            return certificate
        }
        return digest(pin).map(made)
    }

    private static func made(_ digest: SHA256Digest) -> CertificateSummary {
        var certificate = CertificateSummary(fingerprint: digest)
        (certificate.spki, certificate.rawKeySHA256) = (digest, digest)
        certificate.family = .rsa
        certificate.key = PublicKeySummary(type: "RSA", bits: 2048, curve: nil)
        return certificate
    }

    /// Without white space, and without a prefix of another notation that was pasted along.
    static func bare(_ text: String) -> String {
        var body = text.filter { !$0.isWhitespace }[...]
        for prefix in ["sha256//", "sha256/"] where body.hasPrefix(prefix) { body = body.dropFirst(prefix.count) }
        return String(body)
    }
}

extension SHA256Digest {
    /// 32 times one byte: no key's hash.
    fileprivate static func repeating(_ byte: UInt8) -> SHA256Digest {
        guard let digest = SHA256Digest([UInt8](repeating: byte, count: 32)) else {
            preconditionFailure("32 bytes make a digest")
        }
        return digest
    }
}
