internal import COpenSSL

/// What a client hello offers. Servers choose versions and certificates by it.
///
/// Lists are in OpenSSL's own syntax (SSL_CTX_set_cipher_list(3), SSL_CTX_set1_groups_list(3),
/// SSL_CTX_set1_sigalgs_list(3)). Security level 0 lets everything through that OpenSSL can still speak: what is weak
/// is to be seen and graded, not refused.
package struct HelloOffer: Sendable {
    let minimumVersion: Int32
    let ciphers: String
    let groups: String
    let signatureAlgorithms: String
    /// RFC 7301 section 3.1: each name after its length in one byte. Empty offers none.
    let applicationProtocols: [UInt8]
    /// Whether issuers may sign with anything, whatever the leaf's own key is narrowed to.
    var widensIssuers = false

    /// Kinds of keys that a server may hold side by side.
    package enum Narrowing: Sendable {
        case ecdsa, rsa
    }

    /// The same hello for servers' certificates of one kind of key only. TLS 1.3 servers go by the signature algorithms,
    /// older ones by the cipher suites.
    package func narrowed(to keys: Narrowing) -> HelloOffer {
        let (authentication, signature) = keys == .ecdsa ? ("ECDSA", "ecdsa") : ("RSA", "rsa")
        let named = ciphers.split(separator: ":").filter { suite in
            suite.hasPrefix("ECDHE-\(authentication)") || (keys == .rsa && suite.hasPrefix("AES"))
        }
        let algorithms = signatureAlgorithms.split(separator: ":").filter { $0.lowercased().hasPrefix(signature) }
        return HelloOffer(
            minimumVersion: minimumVersion,
            ciphers: (named.isEmpty ? ["a\(authentication)"] : named.map(String.init)).joined(separator: ":")
                + ":@SECLEVEL=0",
            groups: groups, signatureAlgorithms: algorithms.joined(separator: ":"),
            applicationProtocols: applicationProtocols, widensIssuers: true)
    }

    /// TLS 1.2 and 1.3 as a current iPhone or Android phone offers them.
    ///
    /// The key share is X25519 and P-256 follows; P-384 and P-521 stand after them as on phones, for TLS 1.2 servers may
    /// show an ECDSA certificate only if its curve is offered. Signature algorithms that no phone sends come last, so
    /// that they change no server's choice but let one complete that has nothing else.
    package static let phone = HelloOffer(
        minimumVersion: TLS1_2_VERSION,
        ciphers: [
            "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305",
            "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305",
            "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA", "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA",
            "AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA", "AES256-SHA", "@SECLEVEL=0",
        ].joined(separator: ":"),
        groups: "X25519:P-256:P-384:P-521",
        signatureAlgorithms: everySignature,
        applicationProtocols: [2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8))

    /// TLS 1.0 and up with every cipher, group and signature algorithm of this OpenSSL; anonymous suites and those
    /// without encryption last. Sent only after a failure: it is no client's hello, and finite-field Diffie-Hellman
    /// costs this side CPU time (see ``HandshakeContext/largestDiffieHellmanPrime``).
    package static let legacy = HelloOffer(
        minimumVersion: TLS1_VERSION,
        ciphers: "ALL:COMPLEMENTOFALL:+aNULL:+eNULL:@SECLEVEL=0",
        groups: "X25519:P-256:P-384:P-521:X448:secp256k1:brainpoolP256r1:brainpoolP384r1:brainpoolP512r1"
            + ":secp224r1:prime192v1:ffdhe2048:ffdhe3072:ffdhe4096",
        signatureAlgorithms: everySignature,
        applicationProtocols: [])

    /// Every signature that this OpenSSL can make or check and that a hello here asks for.
    static let everySignature = phoneSignatures + ":" + furtherSignatures

    private static let phoneSignatures = [
        "ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256", "rsa_pkcs1_sha256", "ecdsa_secp384r1_sha384",
        "rsa_pss_rsae_sha384", "rsa_pkcs1_sha384", "rsa_pss_rsae_sha512", "rsa_pkcs1_sha512", "rsa_pkcs1_sha1",
    ].joined(separator: ":")

    private static let furtherSignatures = [
        "ecdsa_secp521r1_sha512", "ed25519", "ed448", "rsa_pss_pss_sha256", "rsa_pss_pss_sha384",
        "rsa_pss_pss_sha512", "ECDSA+SHA224", "RSA+SHA224", "ECDSA+SHA1", "DSA+SHA256", "DSA+SHA224", "DSA+SHA1",
    ].joined(separator: ":")
}
