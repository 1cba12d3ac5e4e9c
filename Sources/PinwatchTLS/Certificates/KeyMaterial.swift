package import PinwatchCore

/// The hashes that people make of a public key.
package struct KeyHashes: Sendable, Hashable {
    /// SHA-256 over the DER SubjectPublicKeyInfo.
    package let spki: SHA256Digest
    /// SHA-1 (20 bytes) over the same bytes.
    package let spkiSHA1: [UInt8]
    /// SHA-256 over the key bits alone (PKCS #1 RSAPublicKey, or the EC point), which is no pin but is taken for one.
    package let rawKey: SHA256Digest
    package let key: PublicKeySummary
    package let family: KeyFamily

    init(_ spki: DERElement) throws(DERFault) {
        let (layout, bytes) = (try PublicKeyLayout(spki), Array(spki.bytes))
        key = try layout.summary()
        family = layout.family
        self.spki = Digests.sha256(bytes)
        spkiSHA1 = Digests.sha1(bytes)
        rawKey = Digests.sha256(Array(layout.keyBytes))
    }
}

/// A certificate, key or request as a file held it.
package enum KeyMaterial: Sendable, Hashable {
    /// `isDER` tells whether the file was bare DER, which is all that some clients load.
    case certificate(Certificate, isDER: Bool)
    case publicKey(KeyHashes)
    /// A certificate signing request (RFC 2986): the key of a certificate to come.
    case request(subject: String?, KeyHashes)
}

/// Reads files of certificates, PKCS #7 bags, public keys and signing requests, in PEM or DER.
package enum KeyMaterialReader {
    /// What the file holds, in its order; empty for a file of another kind.
    ///
    /// - Throws: Why a file of this kind is not read: it holds a private key, nothing of which is repeated, or is broken.
    package static func read(_ bytes: [UInt8]) throws(HostProblem) -> [KeyMaterial] {
        guard bytes.count <= CertificateFile.sizeLimit else {
            throw HostProblem("it has \(bytes.count) bytes; at most \(CertificateFile.sizeLimit) are read")
        }
        let blocks = PEMBlocks(bytes).blocks
        try refusePrivateKey(bytes)
        guard blocks.count <= CertificateFile.countLimit else {
            throw HostProblem("it holds more than \(CertificateFile.countLimit) PEM blocks; split the file")
        }
        guard blocks.isEmpty else { return try armoured(blocks) }
        guard bytes.first == DERTag.sequence else { return [] }
        return try binary(bytes)
    }

    /// Looks for one anywhere, in the middle of a source's line and of a property list too.
    ///
    /// - Throws: Where the bytes hold a private key or may (a PKCS #12 file), which command gives what can be pinned.
    package static func refusePrivateKey(_ bytes: [UInt8]) throws(HostProblem) {
        let isArmoured =
            bytes.holds("-----BEGIN ") && (bytes.holds("PRIVATE KEY-----") || bytes.holds("PRIVATE KEY BLOCK-----"))
        if isArmoured || PrivateKeyShape.isKey(bytes) {
            throw HostProblem(
                "it holds a private key, which is neither read nor kept; hand over its public key instead: "
                    + "`openssl pkey -in FILE -pubout -out public.pem`")
        }
        guard PrivateKeyShape.isPFX(bytes) else { return }
        throw HostProblem(
            "it is a PKCS #12 file, which may hold a private key and is not read; hand over its certificates instead: "
                + "`openssl pkcs12 -in FILE -nokeys -out certificates.pem`")
    }

    private static func armoured(_ blocks: [PEMBlocks.Block]) throws(HostProblem) -> [KeyMaterial] {
        var found: [KeyMaterial] = []
        for (index, block) in blocks.enumerated() {
            guard let bytes = block.bytes, !bytes.isEmpty else {
                throw HostProblem("PEM block \(index + 1) is cut short or is no base64")
            }
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE":
                found.append(.certificate(try certificate(bytes), isDER: false))
            case "PKCS7", "CMS": found += try bag(bytes, isDER: false)
            case "PUBLIC KEY": found.append(.publicKey(try key(bytes)))
            case "RSA PUBLIC KEY": found.append(.publicKey(try rsaKey(bytes)))
            case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": found.append(try request(bytes))
            default: continue
            }
        }
        guard !found.isEmpty else {
            throw HostProblem("its PEM blocks hold neither certificates, nor public keys, nor signing requests")
        }
        return found
    }

    private static func binary(_ bytes: [UInt8]) throws(HostProblem) -> [KeyMaterial] {
        if let key = try? key(bytes) { return [.publicKey(key)] }
        if let key = try? rsaKey(bytes) { return [.publicKey(key)] }
        if let request = try? request(bytes) { return [request] }
        if PKCS7.isFramed(bytes) { return try bag(bytes, isDER: true) }
        guard let certificates = try? CertificateFile.read(bytes) else { return [] }
        return certificates.map { .certificate($0, isDER: true) }
    }

    private static func certificate(_ bytes: [UInt8]) throws(HostProblem) -> Certificate {
        let certificate = CertificateReader.certificate(der: bytes)
        guard CertificateReader.keyFamily(of: certificate) != nil else {
            throw HostProblem("a block named CERTIFICATE holds no certificate with a readable key")
        }
        return certificate
    }

    private static func bag(_ bytes: [UInt8], isDER: Bool) throws(HostProblem) -> [KeyMaterial] {
        let certificates = try PKCS7.certificates(bytes)
        return certificates.map { .certificate(CertificateReader.certificate(der: $0), isDER: isDER) }
    }

    private static func key(_ bytes: [UInt8]) throws(HostProblem) -> KeyHashes {
        var cursor = DERCursor(bytes)
        guard let element = try? cursor.next(DERTag.sequence), cursor.isAtEnd, let hashes = try? KeyHashes(element)
        else {
            throw HostProblem("the public key is no DER SubjectPublicKeyInfo")
        }
        return hashes
    }

    /// Wraps a PKCS #1 RSAPublicKey (RFC 8017 appendix A.1.1) as certificates carry it, since that is what is hashed.
    private static func rsaKey(_ bytes: [UInt8]) throws(HostProblem) -> KeyHashes {
        let fault = HostProblem("the RSA public key is no PKCS #1 RSAPublicKey")
        var cursor = DERCursor(bytes)
        guard let outer = try? cursor.next(DERTag.sequence), cursor.isAtEnd else { throw fault }
        var numbers = outer.children
        guard let modulus = try? numbers.next(DERTag.integer), modulus.content.count > 32,
            (try? numbers.next(DERTag.integer)) != nil, numbers.isAtEnd
        else { throw fault }
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let bits = DERElement.header(DERTag.bitString, length: bytes.count + 1) + [0] + bytes
        return try key(DERElement.header(DERTag.sequence, length: algorithm.count + bits.count) + algorithm + bits)
    }

    /// CertificationRequest (RFC 2986 section 4): info { version, subject, key, attributes }, algorithm, signature.
    private static func request(_ bytes: [UInt8]) throws(HostProblem) -> KeyMaterial {
        do throws(DERFault) {
            var file = DERCursor(bytes)
            var outer = try file.next(DERTag.sequence).children
            var info = try outer.next(DERTag.sequence).children
            _ = try info.next(DERTag.integer)
            let subject = try info.next(DERTag.sequence)
            return .request(
                subject: try? DistinguishedName.text(subject), try KeyHashes(try info.next(DERTag.sequence)))
        } catch {
            throw HostProblem("the signing request cannot be read: \(error)")
        }
    }
}

extension DERElement {
    /// Tag and definite length, in the shortest form.
    fileprivate static func header(_ tag: UInt8, length: Int) -> [UInt8] {
        guard length > 0x7F else { return [tag, UInt8(truncatingIfNeeded: length)] }
        var bytes: [UInt8] = []
        var rest = length
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(bytes.count)] + bytes
    }
}
