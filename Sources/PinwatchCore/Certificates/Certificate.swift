/// A certificate exactly as a server sent it.
///
/// `fingerprint` and `spki` are facts over the bytes as sent; `summary` is a lenient reading of them, each field of
/// which may be unknown. A certificate that is not even a DER sequence still has its bytes and its fingerprint.
package struct Certificate: Sendable, Hashable {
    /// The bytes of one entry of the Certificate message, trailing bytes included.
    package let der: [UInt8]
    /// SHA-256 over `der`.
    package let fingerprint: SHA256Digest

    package init(der: [UInt8], fingerprint: SHA256Digest) {
        self.der = der
        self.fingerprint = fingerprint
    }

    package static func == (left: Certificate, right: Certificate) -> Bool {
        left.fingerprint == right.fingerprint
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
    }
}

/// What identifies a chain: SHA-256 over the fingerprints of its certificates, in the order sent.
package struct ChainID: Hashable, Sendable {
    package let digest: SHA256Digest

    package init(digest: SHA256Digest) {
        self.digest = digest
    }
}

/// The certificates of one Certificate message, leaf first, never empty.
package struct Chain: Sendable, Hashable {
    package let id: ChainID
    package let certificates: [Certificate]

    package init(id: ChainID, certificates: [Certificate]) {
        self.id = id
        self.certificates = certificates
    }

    package static func == (left: Chain, right: Chain) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a key can do in a handshake, from its SubjectPublicKeyInfo: RSASSA-PSS is `rsa`, explicit EC `ecdsa`, DSA `other`.
package enum KeyFamily: String, Sendable, CaseIterable {
    case rsa, ecdsa, ed25519, ed448, other
}

/// A public key as far as it could be read.
package struct PublicKeySummary: Sendable, Hashable {
    /// `RSA`, `RSA-PSS`, `EC`, `Ed25519`, `Ed448`, `DSA`, or the algorithm's dotted object identifier.
    package let type: String
    /// The size in bits; unknown where OpenSSL cannot load the key.
    package let bits: Int?
    /// The named curve (`P-256`, `secp256k1` …); `nil` for other keys and for explicit parameters.
    package let curve: String?

    package init(type: String, bits: Int?, curve: String?) {
        self.type = type
        self.bits = bits
        self.curve = curve
    }
}

/// A lenient reading of one certificate: each field by itself, `nil` and a line in `unreadable` where it failed.
package struct CertificateSummary: Sendable, Hashable {
    /// A field that could not be read, under its JSON name, and why in words.
    package struct Unreadable: Sendable, Hashable {
        package let field: String
        package let why: String
        package init(field: String, why: String) {
            self.field = field
            self.why = why
        }
    }

    /// SHA-256 over the whole certificate as sent.
    package var fingerprint: SHA256Digest
    /// SHA-256 over the DER SubjectPublicKeyInfo as it stands in the certificate.
    package var spki: SHA256Digest?
    /// SHA-1 (20 bytes) over the same bytes, for `sha1/` pins.
    package var spkiSHA1: [UInt8]?
    /// SHA-256 over the key bits alone (PKCS #1 RSAPublicKey or the EC point), which hand-written apps hash by mistake.
    package var rawKeySHA256: SHA256Digest?
    package var family: KeyFamily?
    /// RFC 4514 text; bytes that are no UTF-8, and controls, as `\xx`. Empty text is an empty name, which is legal.
    package var subject: String?
    package var issuer: String?
    /// DER of the Name, for equality as in RFC 5280 section 7.1 by bytes.
    package var subjectDER: [UInt8]?
    package var issuerDER: [UInt8]?
    /// Signed lower-case hexadecimal of the INTEGER's bytes as sent: `05`, `-05`, `00ff`.
    package var serial: String?
    package var notBefore: Instant?
    package var notAfter: Instant?
    /// subjectAltName dNSName entries, escaped as names are, in order.
    package var dnsNames: [String]?
    /// subjectAltName iPAddress entries of 4 or 16 bytes.
    package var ipAddresses: [IPAddress]?
    package var key: PublicKeySummary?
    /// The signature algorithm, such as `ecdsa-with-SHA256` or a dotted object identifier.
    package var signature: String?
    package var isCA: Bool?
    /// Issuer equals subject and the signature verifies by the certificate's own key.
    package var selfSigned: Bool?
    /// Number of embedded signed certificate timestamps (RFC 6962); 0 without the extension.
    package var scts: Int?
    package var ocspURLs: [String]?
    package var aiaURLs: [String]?
    /// `sha1_signature`, `md5_signature`, `rsa_1024`, `dsa`: the contract's words for what is weak here.
    package var weak: [String]
    package var unreadable: [Unreadable]

    package init(fingerprint: SHA256Digest) {
        self.fingerprint = fingerprint
        weak = []
        unreadable = []
    }

    /// From the first second to the last, both included (RFC 5280 section 4.1.2.5).
    package var lifetimeSeconds: Int64? {
        guard let notBefore, let notAfter else { return nil }
        return notAfter.seconds(since: notBefore)
    }
}
