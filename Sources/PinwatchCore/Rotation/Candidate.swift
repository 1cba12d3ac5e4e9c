/// What a rotation would put in place of what is served, as far as it is known beforehand.
package enum Candidate: Sendable {
    /// Certificates as they would be sent, the leaf first; at least one.
    case chain([Certificate])
    /// A certificate that is still to be issued for this key.
    case key(CandidateKey)
}

/// A key without a certificate.
package struct CandidateKey: Sendable, Hashable {
    package let kind: PinnableKey.Kind
    /// Of a signing request, RFC 4514.
    package let subject: String?
    package let spki: SHA256Digest
    /// Of the SubjectPublicKeyInfo.
    package let spkiSHA1: [UInt8]
    package let rawKey: SHA256Digest?
    /// Its kind and size, by which clients and platforms refuse some.
    package let key: PublicKeySummary
    package let family: KeyFamily

    package init(
        kind: PinnableKey.Kind, subject: String?, spki: SHA256Digest, spkiSHA1: [UInt8], rawKey: SHA256Digest?,
        key: PublicKeySummary, family: KeyFamily
    ) {
        self.kind = kind
        self.subject = subject
        self.spki = spki
        self.spkiSHA1 = spkiSHA1
        self.rawKey = rawKey
        self.key = key
        self.family = family
    }
}
