internal import COpenSSL
internal import FoundationEssentials
internal import PinwatchCore

/// A private key made in memory.
///
/// `@unchecked Sendable`: an EVP_PKEY that is no longer changed may be used by several threads at once
/// (openssl-threads(7)), and nothing here changes one after `init`.
@safe
package final class TestKey: @unchecked Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case p256, p384, p521, secp256k1, brainpoolP256, p256ExplicitParameters
        case rsa1024, rsa2048, rsaPSS2048, ed25519, ed448, dsa2048
    }

    /// The digest of a signature; Ed25519 and Ed448 take none and ignore it.
    package enum Digest: String, Sendable {
        case md5, sha1, sha256, sha384, sha512
    }

    package let kind: Kind
    /// DER SubjectPublicKeyInfo.
    package let spki: [UInt8]
    private let key: OpaquePointer

    package init(_ kind: Kind = .p256) {
        self.kind = kind
        let made = unsafe Self.generate(kind)
        spki = unsafe Self.encoded { unsafe i2d_PUBKEY(made, $0) }
        unsafe key = made
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// PKCS #8 without a passphrase, as `openssl s_server` and nginx read it.
    package var privateKeyPEM: String {
        guard let information = unsafe EVP_PKEY2PKCS8(key) else { preconditionFailure("no PKCS #8") }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(information) }
        return TestPEM.text("PRIVATE KEY", unsafe Self.encoded { unsafe i2d_PKCS8_PRIV_KEY_INFO(information, $0) })
    }

    /// SubjectPublicKeyInfo as PEM.
    package var publicKeyPEM: String { TestPEM.text("PUBLIC KEY", spki) }

    /// Signs as certificates are signed.
    package func sign(_ bytes: [UInt8], digest: Digest = .sha256) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?
        let name = kind == .ed25519 || kind == .ed448 ? nil : digest.rawValue
        let started = unsafe EVP_DigestSignInit_ex(context, &keyContext, name, nil, nil, key, nil)
        precondition(started == 1, "cannot sign with \(kind) and \(digest)")
        if kind == .rsaPSS2048 { unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, 32) }
        var length = 0
        unsafe EVP_DigestSign(context, nil, &length, bytes, bytes.count)
        var signature = [UInt8](repeating: 0, count: length)
        let signed = unsafe EVP_DigestSign(context, &signature, &length, bytes, bytes.count)
        precondition(signed == 1, "cannot sign with \(kind) and \(digest)")
        return Array(signature.prefix(length))
    }

    /// The AlgorithmIdentifier of what ``sign(_:digest:)`` makes.
    package func signatureAlgorithm(_ digest: Digest = .sha256) -> [UInt8] {
        switch kind {
        case .ed25519: return TestDER.sequence(TestDER.oid("1.3.101.112"))
        case .ed448: return TestDER.sequence(TestDER.oid("1.3.101.113"))
        case .dsa2048: return TestDER.sequence(TestDER.oid("2.16.840.1.101.3.4.3.2"))
        case .rsaPSS2048:
            let sha256 = TestDER.sequence(TestDER.oid("2.16.840.1.101.3.4.2.1"), TestDER.null)
            let mask = TestDER.sequence(TestDER.oid("1.2.840.113549.1.1.8"), sha256)
            let parameters = TestDER.sequence(
                TestDER.tlv(0xA0, sha256), TestDER.tlv(0xA1, mask), TestDER.tlv(0xA2, [0x02, 0x01, 0x20]))
            return TestDER.sequence(TestDER.oid("1.2.840.113549.1.1.10"), parameters)
        case .rsa1024, .rsa2048:
            let last: [Digest: Int] = [.md5: 4, .sha1: 5, .sha256: 11, .sha384: 12, .sha512: 13]
            return TestDER.sequence(TestDER.oid("1.2.840.113549.1.1.\(last[digest, default: 11])"), TestDER.null)
        case .p256, .p384, .p521, .secp256k1, .brainpoolP256, .p256ExplicitParameters:
            let last: [Digest: String] = [.sha1: "1", .sha256: "3.2", .sha384: "3.3", .sha512: "3.4"]
            return TestDER.sequence(TestDER.oid("1.2.840.10045.4." + last[digest, default: "3.2"]))
        }
    }

    private static func generate(_ kind: Kind) -> OpaquePointer {
        let algorithm: String
        switch kind {
        case .ed25519: algorithm = "ED25519"
        case .ed448: algorithm = "ED448"
        case .rsa1024, .rsa2048: algorithm = "RSA"
        case .rsaPSS2048: algorithm = "RSA-PSS"
        case .dsa2048: return unsafe generateDSA()
        case .p256, .p384, .p521, .secp256k1, .brainpoolP256, .p256ExplicitParameters: algorithm = "EC"
        }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, algorithm, nil) else {
            preconditionFailure("OpenSSL knows no \(algorithm)")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        unsafe EVP_PKEY_keygen_init(context)
        let groups: [Kind: String] = [
            .p256: "prime256v1", .p384: "secp384r1", .p521: "secp521r1", .secp256k1: "secp256k1",
            .brainpoolP256: "brainpoolP256r1", .p256ExplicitParameters: "prime256v1",
        ]
        if let group = groups[kind] { unsafe EVP_PKEY_CTX_set_group_name(context, group) }
        if kind == .p256ExplicitParameters { unsafe EVP_PKEY_CTX_set_ec_param_enc(context, OPENSSL_EC_EXPLICIT_CURVE) }
        if algorithm.hasPrefix("RSA") {
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, kind == .rsa1024 ? 1024 : 2048)
        }
        var key: OpaquePointer?
        unsafe EVP_PKEY_generate(context, &key)
        guard let key = unsafe key else { preconditionFailure("cannot make a key of kind \(kind)") }
        return unsafe key
    }

    private static func generateDSA() -> OpaquePointer {
        var parameters: OpaquePointer?
        let maker = unsafe EVP_PKEY_CTX_new_from_name(nil, "DSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(maker) }
        unsafe EVP_PKEY_paramgen_init(maker)
        unsafe EVP_PKEY_CTX_set_dsa_paramgen_bits(maker, 2048)
        unsafe EVP_PKEY_generate(maker, &parameters)
        defer { unsafe EVP_PKEY_free(parameters) }
        let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, parameters, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        unsafe EVP_PKEY_keygen_init(context)
        var key: OpaquePointer?
        unsafe EVP_PKEY_generate(context, &key)
        guard let key = unsafe key else { preconditionFailure("cannot make a DSA key") }
        return unsafe key
    }

    private static func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let length = encode(nil)
        precondition(length > 0, "OpenSSL cannot encode this")
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var end = buffer.baseAddress
            count = unsafe Int(encode(&end))
        }
    }
}

/// PEM armour (RFC 7468), 64 characters a line.
package enum TestPEM {
    package static func text(_ label: String, _ der: [UInt8]) -> String {
        let base64 = Array(Data(der).base64EncodedString())
        let lines = stride(from: 0, to: base64.count, by: 64).map { String(base64[$0..<min($0 + 64, base64.count)]) }
        return "-----BEGIN \(label)-----\n" + lines.map { $0 + "\n" }.joined() + "-----END \(label)-----\n"
    }
}
