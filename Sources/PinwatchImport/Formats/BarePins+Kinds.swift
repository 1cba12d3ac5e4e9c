package import PinwatchCore
internal import PinwatchTLS

/// What a hash was made of, as far as certificates at hand can tell: the five kinds of pin-semantics 11.
enum HashKind: String, CaseIterable {
    case spki, spkiSHA1, certificate, certificateSHA1, rawKey

    var words: String {
        switch self {
        case .spki: "the SHA-256 of a SubjectPublicKeyInfo"
        case .spkiSHA1: "the SHA-1 of a SubjectPublicKeyInfo"
        case .certificate: "the SHA-256 of a whole certificate"
        case .certificateSHA1: "the SHA-1 of a whole certificate"
        case .rawKey: "the SHA-256 of a raw key, which no library but hand-written code compares"
        }
    }
}

/// A certificate's five hashes.
package struct FiveHashes: Sendable, Hashable {
    package let spki: SHA256Digest?
    package let spkiSHA1: [UInt8]?
    package let certificate: SHA256Digest?
    package let certificateSHA1: [UInt8]?
    package let rawKey: SHA256Digest?

    /// A summary holds no bytes, so a certificate's SHA-1 is known only of one that was handed over.
    package init(_ key: FoundKey) {
        switch key.material {
        case .certificate(let whole, _):
            spki = key.summary?.spki
            spkiSHA1 = key.summary?.spkiSHA1
            certificate = whole.fingerprint
            certificateSHA1 = Digests.sha1(whole.der)
            rawKey = key.summary?.rawKeySHA256
        case .publicKey(let hashes), .request(_, let hashes):
            spki = hashes.spki
            spkiSHA1 = hashes.spkiSHA1
            certificate = nil
            certificateSHA1 = nil
            rawKey = hashes.rawKey
        }
    }

    /// Of a certificate that was served, whose bytes are not at hand.
    package init(_ summary: CertificateSummary) {
        spki = summary.spki
        spkiSHA1 = summary.spkiSHA1
        certificate = summary.fingerprint
        certificateSHA1 = nil
        rawKey = summary.rawKeySHA256
    }

    /// Which of the hashes these bytes are.
    func kind(of bytes: [UInt8]) -> HashKind? {
        if spki?.bytes == bytes { return .spki }
        if certificate?.bytes == bytes { return .certificate }
        if rawKey?.bytes == bytes { return .rawKey }
        if spkiSHA1 == bytes { return .spkiSHA1 }
        return certificateSHA1 == bytes ? .certificateSHA1 : nil
    }
}

extension BarePins {
    /// The pin in the native notation; `nil` for one that is left out, which a remark tells.
    static func pin(
        _ kind: Kind, _ word: Word, _ references: [FiveHashes], _ client: Client?, _ draft: inout Draft
    ) -> Node? {
        switch kind {
        case .spki(let text): return known(text, word, references, &draft)
        case .spkiSHA1(let text): return .text("sha1/" + text, word.mark)
        case .certificate(let digest): return .text("cert-sha256:" + digest.hex, word.mark)
        case .unknown(let digest): return unknown(digest.bytes, word, references, client, &draft)
        case .sha1(let bytes): return sha1(bytes, word, references, &draft)
        case .rawKey(let bytes): return rawKey(bytes, word, &draft)
        case .openSSH:
            draft.remark(word.mark, "SHA256: without padding is OpenSSH's notation of its own keys, not a pin of TLS")
            return nil
        }
    }

    /// A pin that says what it is may still have been made of something else.
    private static func known(
        _ text: String, _ word: Word, _ references: [FiveHashes], _ draft: inout Draft
    ) -> Node? {
        if let bytes = PinText.sha256(text)?.bytes, let kind = kind(of: bytes, references), kind != .spki {
            draft.remark(word.mark, "\(word.text) is \(kind.words); as a key's pin it can never match")
        }
        return .rawPin(text, word.mark)
    }

    private static func kind(of bytes: [UInt8], _ references: [FiveHashes]) -> HashKind? {
        references.lazy.compactMap { $0.kind(of: bytes) }.first
    }

    private static func unknown(
        _ bytes: [UInt8], _ word: Word, _ references: [FiveHashes], _ client: Client?, _ draft: inout Draft
    ) -> Node? {
        let text = PinText.canonical(bytes)
        switch kind(of: bytes, references) {
        case .spki: return .text("sha256/" + text, word.mark)
        case .certificate:
            draft.remark(word.mark, "\(word.text) is \(HashKind.certificate.words)")
            return .text("cert-sha256:" + Hex.text(bytes), word.mark)
        case .rawKey:
            draft.remark(
                word.mark,
                "\(word.text) is \(HashKind.rawKey.words)"
                    + (client == .urlSession ? "" : "; as a key's pin it can never match"))
            return .text("sha256/" + text, word.mark)
        case .spkiSHA1, .certificateSHA1, nil:
            let isCertificate = ClientPins.comparesCertificates(client)
            draft.remark(
                word.mark,
                "\(word.text) does not say whether it is a key's or a certificate's hash, and no certificate at "
                    + "hand tells; it is taken for a \(isCertificate ? "certificate" : "key")'s")
            draft.ask(
                "kind",
                "Are pins without a prefix hashes of keys or of whole certificates? Hand over a certificate that "
                    + "they were made of, and it is found out.", key: "policy")
            return .text(isCertificate ? "cert-sha256:" + Hex.text(bytes) : "sha256/" + text, word.mark)
        }
    }

    /// 20 bytes: a pin only if they are a key's hash; of a certificate it names one that may be at hand.
    private static func sha1(
        _ bytes: [UInt8], _ word: Word, _ references: [FiveHashes], _ draft: inout Draft
    ) -> Node? {
        if kind(of: bytes, references) == .spkiSHA1 { return .text("sha1/" + PinText.canonical(bytes), word.mark) }
        if let certificate = references.first(where: { $0.certificateSHA1 == bytes })?.certificate {
            draft.remark(word.mark, "\(word.shown) is \(HashKind.certificateSHA1.words), written by its SHA-256")
            return .text("cert-sha256:" + certificate.hex, word.mark)
        }
        draft.remark(
            word.mark,
            "\(word.shown) is 20 bytes of SHA-1, usually of a certificate; without that certificate it is no pin")
        draft.ask(
            "kind", "Which certificate is \(word.shown) the SHA-1 of? Hand it over beside.", key: "policy",
            at: word.mark, mustAnswer: true)
        return nil
    }

    /// A key itself names its own hash, if it is a whole SubjectPublicKeyInfo or a PKCS #1 key.
    private static func rawKey(_ bytes: [UInt8], _ word: Word, _ draft: inout Draft) -> Node? {
        let material = try? KeyMaterialReader.read(bytes)
        if case .publicKey(let hashes)? = material?.first {
            draft.remark(word.mark, "the key itself is written as the hash of its SubjectPublicKeyInfo")
            return .text(hashes.spki.pin, word.mark)
        }
        draft.remark(word.mark, "this is a raw key without its type, of which no pin can be made")
        return nil
    }
}
