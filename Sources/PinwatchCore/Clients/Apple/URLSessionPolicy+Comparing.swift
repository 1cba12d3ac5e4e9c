extension URLSessionPolicy.Compare {
    /// What a pin's hash is of, for a note on one that does not fit.
    var compared: PinDiagnosis.Compared {
        switch self {
        case .der: .certificate
        case .spki: .spki
        case .rawKey: .rawKey
        }
    }

    func matches(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch self {
        case .der: matchesCertificate(pin, certificate)
        case .spki: matchesKey(pin, certificate)
        case .rawKey: matchesRawKey(pin, certificate)
        }
    }

    private func matchesCertificate(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .certificate(let digest): digest == certificate.fingerprint
        case .file(_, .certificate(let file, _)): file.fingerprint == certificate.fingerprint
        case .spki, .spkiSHA1, .file(_, .publicKey): false
        }
    }

    private func matchesKey(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { $0.base64 == text } ?? false
        case .spkiSHA1(let text): certificate.spkiSHA1.map { PinText.canonical($0) == text } ?? false
        case .file(_, .certificate(let file, _)): file.spki.map { $0 == certificate.spki } ?? false
        case .file(_, .publicKey(let spki)): spki == certificate.spki
        case .certificate: false
        }
    }

    private func matchesRawKey(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.rawKeySHA256.map { $0.base64 == text } ?? false
        case .file(_, .certificate(let file, _)): file.rawKeySHA256.map { $0 == certificate.rawKeySHA256 } ?? false
        // Equal SubjectPublicKeyInfo holds an equal key; the file's raw key by itself is not at hand.
        case .file(_, .publicKey(let spki)): spki == certificate.spki
        case .certificate, .spkiSHA1: false
        }
    }
}
