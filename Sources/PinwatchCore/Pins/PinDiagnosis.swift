/// Why a pin that was surely made from a certificate does not match it: another hash, or the right one written otherwise.
enum PinDiagnosis {
    /// What a client hashes before it compares.
    enum Compared {
        case certificate, spki, rawKey

        var words: String {
            switch self {
            case .certificate: "whole certificates"
            case .spki: "the SubjectPublicKeyInfo"
            case .rawKey: "the raw key"
            }
        }
    }

    /// One sentence, or `nil` where the pin says nothing about these certificates.
    static func note(_ pin: Pin, against certificates: [CertificateSummary], comparing compared: Compared) -> String? {
        for (index, certificate) in certificates.enumerated() {
            let place = index == 0 ? "the leaf" : certificate.subject.map { "\"\($0)\"" } ?? "certificate \(index)"
            if let note = note(pin, certificate, place, compared) { return note }
        }
        return nil
    }

    private static func note(
        _ pin: Pin, _ certificate: CertificateSummary, _ place: String, _ compared: Compared
    ) -> String? {
        switch pin {
        case .spki(let text):
            guard let digest = PinText.sha256(text) else { return nil }
            return note(pin, digest, certificate, place, compared)
        case .certificate(let digest):
            return note(pin, digest, certificate, place, compared)
        case .spkiSHA1(let text):
            guard let digest = PinText.sha1(text), digest == certificate.spkiSHA1 else { return nil }
            guard compared == .spki else {
                return "\(pin.text) is the SHA-1 of \(place)'s SubjectPublicKeyInfo, but this client compares "
                    + "\(compared.words); it can never match"
            }
            return spelling(pin, canonical: "sha1/" + PinText.canonical(digest), place)
        case .file:
            return nil
        }
    }

    private static func note(
        _ pin: Pin, _ digest: SHA256Digest, _ certificate: CertificateSummary, _ place: String, _ compared: Compared
    ) -> String? {
        let kinds: [(Compared, SHA256Digest?, String)] = [
            (.spki, certificate.spki, "the hash of \(place)'s SubjectPublicKeyInfo"),
            (.rawKey, certificate.rawKeySHA256, "the hash of \(place)'s raw key"),
            (.certificate, certificate.fingerprint, "the hash of \(place)'s whole certificate"),
        ]
        guard let kind = kinds.first(where: { $0.1 == digest }) else { return nil }
        if kind.0 == compared {
            // A hash of the right thing that still did not match can only be written otherwise than this client wants.
            return spelling(pin, canonical: compared == .certificate ? "cert-sha256:" + digest.hex : digest.pin, place)
        }
        return "\(pin.text) is \(kind.2), but this client compares \(compared.words); it can never match"
    }

    private static func spelling(_ pin: Pin, canonical: String, _ place: String) -> String? {
        guard pin.text != canonical else { return nil }
        return "\(pin.text) means \(place), but this client compares the text; written as \(canonical) it would match"
    }
}
