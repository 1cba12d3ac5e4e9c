/// What checking a certificate's signature by its own key found.
enum SelfSignature: Hashable {
    case holds
    case fails
    case keyUnusable
    case keyTooLarge(bits: Int, limit: Int)

    /// The largest RSA key, in bits, by which a signature is verified.
    static let keyLimit = 8_192
    /// The same for DSA, whose exponents are not short: FIPS 186-4 section 4.2 goes no further.
    static let dsaLimit = 3_072
}

/// Whether a self-issued certificate is to be verified by its own key.
enum SelfSignatureOrder {
    /// By this handle; `nil` where OpenSSL cannot load the certificate.
    case check(X509Handle?)
    /// Not, and why, in words for `unreadable`.
    case skip(why: String)
}
