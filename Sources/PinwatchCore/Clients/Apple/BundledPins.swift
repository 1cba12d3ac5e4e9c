/// Pins as an app for Apple's systems holds them: whole certificates, or the keys of certificates, from its bundle.
struct BundledPins {
    enum Kind {
        case certificates, keys

        fileprivate var compared: PinDiagnosis.Compared {
            switch self {
            case .certificates: .certificate
            case .keys: .spki
            }
        }
    }

    let kind: Kind
    /// As the file has them.
    let written: [Pin]
    /// What is left of the file's pins once the app has loaded them: SecCertificateCreateWithData reads DER alone.
    let loaded: [Pin]
    /// A sentence for each that is dropped without an error, or that can match nothing.
    let notes: [String]

    init(_ pins: [Pin], as kind: Kind) {
        self.kind = kind
        written = pins
        loaded = pins.filter { Self.fate(of: $0, kind).isLoaded }
        notes = pins.compactMap { pin in Self.fate(of: pin, kind).why.map { "\(pin.text) \($0)" } }
    }

    /// Whether a certificate is, or holds the key of, what is pinned. Keys compare as keys, whatever wraps them, so here
    /// by their SubjectPublicKeyInfo.
    func matches(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        guard Self.fate(of: pin, kind).isLoaded else { return false }
        switch kind {
        case .certificates: return Self.isCertificate(pin, certificate)
        case .keys: return certificate.hasAppleKey && Self.isKey(pin, certificate)
        }
    }

    func anchors(in presentation: Presentation) -> PinnedAnchors { PinnedAnchors(loaded, in: presentation) }

    /// Holds the pins against the paths, or against the chain as far as it was built where there are none.
    func verdict(for entry: String, paths: [Path], of presentation: Presentation) -> Verdict {
        let keys = keysAtHand(in: presentation)
        let test = PinTest(
            entry: entry, pins: loaded,
            matches: { pin, certificate in
                if let spki = keys[pin] { return certificate.hasAppleKey && certificate.spki == spki }
                return matches(pin, certificate)
            },
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: kind.compared) })
        let verdict = paths.isEmpty ? test.sent(by: presentation) : test.paths(paths)
        guard verdict.kind == .rejectPin, let missing = missing(in: presentation) else { return verdict }
        return missing.certificateNotAtHand
    }

    /// The keys of certificates that are pinned by their fingerprints.
    private func keysAtHand(in presentation: Presentation) -> [Pin: SHA256Digest] {
        guard kind == .keys else { return [:] }
        var keys: [Pin: SHA256Digest] = [:]
        for case .certificate(let digest) in loaded {
            keys[.certificate(digest)] = presentation.certificate(digest)?.spki
        }
        return keys
    }

    /// A fingerprint whose certificate's key is not known, and so may be one that is served.
    private func missing(in presentation: Presentation) -> Pin? {
        guard kind == .keys else { return nil }
        return loaded.first { pin in
            guard case .certificate(let digest) = pin else { return false }
            return presentation.certificate(digest) == nil
        }
    }

    private static func isCertificate(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .certificate(let digest): digest == certificate.fingerprint
        case .file(_, .certificate(let file, _)): file.fingerprint == certificate.fingerprint
        case .spki, .spkiSHA1, .file(_, .publicKey): false
        }
    }

    private static func isKey(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { PinText.sha256(text) == $0 } ?? false
        case .spkiSHA1(let text): certificate.spkiSHA1.map { PinText.sha1(text) == $0 } ?? false
        case .certificate(let digest): digest == certificate.fingerprint
        case .file(_, .certificate(let file, _)): file.spki.map { $0 == certificate.spki } ?? false
        case .file(_, .publicKey(let spki)): spki == certificate.spki
        }
    }

    /// Whether the app has the pin at all, and what a person should know of it.
    private static func fate(of pin: Pin, _ kind: Kind) -> (isLoaded: Bool, why: String?) {
        switch (kind, pin) {
        case (_, .file(_, .certificate(_, isDER: false))):
            (false, "is PEM, and apps load certificates as DER only, so it is dropped")
        case (.certificates, .file(_, .publicKey)):
            (false, "is a key, where the app loads certificates, so it is dropped")
        case (.keys, .file(_, .certificate(let file, _))) where !file.hasAppleKey:
            (false, "has a key that Apple's SecTrust does not extract, so it is dropped")
        case (.keys, .spki(let text)) where PinText.sha256(text) == nil:
            (true, "is no SHA-256 of a key, so it can match nothing")
        case (.keys, .spkiSHA1(let text)) where PinText.sha1(text) == nil:
            (true, "is no SHA-1 of a key, so it can match nothing")
        case (.certificates, .spki), (.certificates, .spkiSHA1):
            (
                true,
                "is written as the hash of a key, where the app compares whole certificates, so it can match nothing"
            )
        case (.keys, .spki), (.keys, .spkiSHA1), (_, .certificate), (_, .file): (true, nil)
        }
    }
}

extension CertificateSummary {
    /// Whether SecTrust hands out the key: RSA and elliptic curves over primes, no others.
    var hasAppleKey: Bool {
        switch family {
        case .rsa, .ecdsa, nil: true
        case .ed25519, .ed448, .other: false
        }
    }
}
