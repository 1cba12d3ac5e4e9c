/// Certificates that do not exist yet, for asking clients' rules about them: they say what is known of the key, and of
/// all else what no rule of any platform takes offence at.
enum SyntheticCertificate {
    /// The beginning of every fingerprint made here, by which answers are kept from showing it: no digest is this text.
    private static let mark = Array("yet to be issued".utf8)

    static func isSynthetic(_ fingerprint: SHA256Digest) -> Bool { fingerprint.bytes.starts(with: mark) }

    private static func digest(_ kind: String, _ number: Int = 0) -> SHA256Digest {
        let tail = Array((kind + String(number) + String(repeating: ".", count: 16)).utf8.prefix(16))
        guard let digest = SHA256Digest(mark + tail) else { preconditionFailure("32 bytes make a digest") }
        return digest
    }

    /// The leaf over a key: it names the host, has just been issued for 90 days, and its timestamps are left open.
    ///
    /// - Parameter name: The subject, in RFC 4514 text.
    static func leaf(
        of key: CandidateKey, named name: String, for reference: ReferenceIdentity, now: Instant
    ) -> CertificateSummary {
        var leaf = CertificateSummary(fingerprint: digest("leaf"))
        leaf.spki = key.spki
        leaf.spkiSHA1 = key.spkiSHA1
        leaf.rawKeySHA256 = key.rawKey
        (leaf.key, leaf.family) = (key.key, key.family)
        leaf.subject = name
        leaf.subjectDER = Array("the leaf".utf8)
        leaf.issuerDER = Array("the issuer".utf8)
        leaf.notBefore = now
        leaf.notAfter = now + 90 * 86_400
        leaf.isCA = false
        leaf.selfSigned = false
        switch reference {
        case .dns(let name): leaf.dnsNames = [name.ascii]
        case .ip(let address): leaf.ipAddresses = [address]
        }
        return leaf
    }

    /// An authority that no pin matches.
    ///
    /// - Parameters:
    ///   - subject: DER of the name that it issues under.
    ///   - number: Told apart from others of the same path.
    static func authority(named subject: [UInt8], number: Int, now: Instant) -> CertificateSummary {
        var authority = CertificateSummary(fingerprint: digest("authority", number))
        authority.spki = digest("key", number)
        // Of a kind that every client can hash.
        (authority.key, authority.family) = (PublicKeySummary(type: "RSA", bits: 2048, curve: nil), .rsa)
        authority.subject = "CN=an authority that devices trust"
        authority.subjectDER = subject
        authority.issuerDER = Array("the authority above \(number)".utf8)
        authority.notBefore = now - 86_400
        authority.notAfter = now + 10 * 366 * 86_400
        authority.isCA = true
        authority.selfSigned = false
        return authority
    }

    /// The authority that a pin may stand for; `nil` where it can stand for none: a certificate that is no authority's.
    static func authority(
        of pin: Pin, named subject: [UInt8], number: Int, now: Instant
    ) -> CertificateSummary? {
        var authority = authority(named: subject, number: number, now: now)
        switch pin {
        case .spki(let text):
            let alphabet = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "+/-_=".contains($0)) }
            guard let digest = PinText.sha256(text) ?? PinText.sha256(alphabet) else { return nil }
            (authority.spki, authority.rawKeySHA256) = (digest, digest)
        case .spkiSHA1(let text):
            guard let digest = PinText.sha1(text) else { return nil }
            authority.spkiSHA1 = digest
        case .certificate(let digest): authority.fingerprint = digest
        case .file(_, .publicKey(let spki)): authority.spki = spki
        case .file(_, .certificate(let file, _)): return file.isCA == false ? nil : file
        }
        return authority
    }

    /// The next certificate over the same key.
    static func renewed(_ certificate: CertificateSummary) -> CertificateSummary {
        var next = certificate
        next.fingerprint = digest("renewed")
        return next
    }

    /// The next certificate of the same name, over another key.
    static func replaced(_ certificate: CertificateSummary) -> CertificateSummary {
        var next = certificate
        next.fingerprint = successor(of: certificate.fingerprint)
        next.spki = next.fingerprint
        next.rawKeySHA256 = next.fingerprint
        next.spkiSHA1 = Array(next.fingerprint.bytes.prefix(20))
        return next
    }

    /// Another digest for each, so that certificates which differ still do.
    private static func successor(of fingerprint: SHA256Digest) -> SHA256Digest {
        SHA256Digest(mark + fingerprint.bytes.prefix(16)) ?? fingerprint
    }

    /// The same within its dates, which are such that no rule about lifetimes minds them.
    static func standing(at instant: Instant, _ certificate: CertificateSummary) -> CertificateSummary {
        var standing = certificate
        standing.notBefore = instant - 86_400
        standing.notAfter = instant + 86_400
        return standing
    }

    /// A verdict without what was made up: hashes of certificates that do not exist, and paths to no anchor.
    static func scrubbed(_ verdict: Verdict) -> Verdict {
        var verdict = verdict
        verdict.paths.removeAll { isSynthetic($0.anchor) }
        verdict.reason = scrubbed(verdict.reason)
        verdict.notes = verdict.notes.map(scrubbed)
        return verdict
    }

    private static func scrubbed(_ text: String) -> String {
        text.replacing("cert-sha256:" + digest("leaf").hex, with: "not known before it is issued")
    }
}
