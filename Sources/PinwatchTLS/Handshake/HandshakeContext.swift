internal import COpenSSL

/// One hello's settings, made once and shared by all its handshakes for the life of the process.
///
/// Nothing is verified within a handshake, no session is kept or offered again: each handshake sees what the server
/// holds now.
@safe package final class HandshakeContext {
    /// Bytes of the longest message that a handshake reads unless it is given more, header apart: OpenSSL's own bound, and
    /// so that of many clients. This times the handshakes in flight is what all servers together can make a process hold.
    package static let ordinaryMessageLimit = 100 << 10

    /// Bytes of the longest Certificate message that a handshake can be given room for, header apart: a certificate of
    /// 10,000 names has 0.3 to 0.7 MiB.
    package static let certificateMessageLimit = 4 << 20

    /// Bits of the largest finite-field Diffie-Hellman prime that is computed with. OpenSSL's own bound of 10,000 would
    /// let a server stop an event loop for half a second; 4,096 bits take about 10 ms.
    package static let largestDiffieHellmanPrime = 4_096

    let handle: OpaquePointer
    private let library: HandshakeLibrary

    /// - Throws: ``HandshakeSetupError`` naming the setting that this OpenSSL does not know.
    package init(offer: HelloOffer, library: HandshakeLibrary) throws(HandshakeSetupError) {
        OpenSSLErrors.clear()
        // Making a context draws random bytes for ticket keys, by a generator of this thread's.
        defer { library.leaveThread() }
        guard let handle = unsafe SSL_CTX_new_ex(library.context, nil, TLS_client_method()) else {
            throw .init(step: "SSL_CTX_new_ex")
        }
        self.library = library
        unsafe self.handle = unsafe handle
        try apply(offer)
        observe()
    }

    deinit {
        unsafe SSL_CTX_free(handle)
    }

    private func apply(_ offer: HelloOffer) throws(HandshakeSetupError) {
        guard unsafe COpenSSL_SSL_CTX_set_min_proto_version(handle, offer.minimumVersion) == 1 else {
            throw .init(step: "SSL_CTX_set_min_proto_version \(offer.minimumVersion)")
        }
        guard unsafe SSL_CTX_set_cipher_list(handle, offer.ciphers) == 1 else {
            throw .init(step: "SSL_CTX_set_cipher_list \(offer.ciphers)")
        }
        let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
        guard unsafe SSL_CTX_set_ciphersuites(handle, suites) == 1 else {
            throw .init(step: "SSL_CTX_set_ciphersuites \(suites)")
        }
        guard unsafe COpenSSL_SSL_CTX_set1_groups_list(handle, offer.groups) == 1 else {
            throw .init(step: "SSL_CTX_set1_groups_list \(offer.groups)")
        }
        guard unsafe COpenSSL_SSL_CTX_set1_sigalgs_list(handle, offer.signatureAlgorithms) == 1 else {
            throw .init(step: "SSL_CTX_set1_sigalgs_list \(offer.signatureAlgorithms)")
        }
        if offer.widensIssuers, unsafe COpenSSL_SSL_CTX_send_certificate_signatures(handle) != 1 {
            throw .init(step: "SSL_CTX_add_custom_ext signature_algorithms_cert")
        }
        let protocols = offer.applicationProtocols
        guard unsafe protocols.isEmpty || SSL_CTX_set_alpn_protos(handle, protocols, UInt32(protocols.count)) == 0
        else {
            throw .init(step: "SSL_CTX_set_alpn_protos")
        }
        // Asks for signed certificate timestamps and an OCSP staple. Permissive never fails a handshake, and without a
        // verified chain OpenSSL looks at none of them.
        guard unsafe SSL_CTX_enable_ct(handle, Int32(SSL_CT_VALIDATION_PERMISSIVE)) == 1 else {
            throw .init(step: "SSL_CTX_enable_ct")
        }
    }

    private func observe() {
        unsafe SSL_CTX_set_security_level(handle, 0)
        unsafe SSL_CTX_set_security_callback(handle, admit)
        unsafe SSL_CTX_set_options(handle, COpenSSL_SSL_OP_LEGACY_SERVER_CONNECT())
        _ = unsafe COpenSSL_SSL_CTX_set_max_cert_list(handle, Self.ordinaryMessageLimit)
        _ = unsafe COpenSSL_SSL_CTX_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
        // One read per flight instead of two per record.
        unsafe COpenSSL_SSL_CTX_set_read_ahead(handle, 1)
        // SSL_VERIFY_NONE would still verify the chain and only ignore the result.
        unsafe SSL_CTX_set_cert_verify_callback(handle, acceptAny, nil)
        unsafe SSL_CTX_set_msg_callback(handle, noteMessage)
    }
}

/// openssl-threads(7): "once set up, an SSL_CTX may be shared": SSL_new(3) only counts references and reads settings,
/// and nothing here changes them after `init`.
extension HandshakeContext: @unchecked Sendable {}

private func acceptAny(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 { 1 }

/// Lets everything through but a server's Diffie-Hellman prime above the bound (SSL_CTX_set_security_callback(3)).
private func admit(
    _ ssl: OpaquePointer?, _ context: OpaquePointer?, _ operation: Int32, _ bits: Int32, _ number: Int32,
    _ subject: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard operation == SSL_SECOP_TMP_DH, let subject = unsafe subject else { return 1 }
    return unsafe EVP_PKEY_get_bits(OpaquePointer(subject)) <= HandshakeContext.largestDiffieHellmanPrime ? 1 : 0
}
