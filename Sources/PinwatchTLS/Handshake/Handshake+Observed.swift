internal import COpenSSL
package import PinwatchCore

extension Handshake {
    /// The Certificate message; `nil` if none arrived.
    package var certificateMessage: CertificateMessage? { seen.certificate }

    /// DER of the stapled OCSP response as sent.
    package var stapledOCSP: [UInt8]? { seen.certificate?.stapledOCSP ?? seen.stapledOCSP }

    /// Signed certificate timestamps sent by extension or within the staple.
    package var timestamps: Int {
        seen.timestamps + (seen.certificate?.timestamps ?? 0) + (stapledOCSP.map(OCSPTimestamps.count) ?? 0)
    }

    /// The version agreed on; `nil` before the server's certificate or the handshake's end confirmed one.
    package var version: TLSVersion? {
        guard isEstablished || seen.certificate != nil else { return nil }
        switch unsafe SSL_version(ssl) {
        case TLS1_VERSION: return .tls10
        case TLS1_1_VERSION: return .tls11
        case TLS1_2_VERSION: return .tls12
        case TLS1_3_VERSION: return .tls13
        default: return nil
        }
    }

    /// The cipher suite's IANA name; `nil` as for ``version``.
    package var cipher: String? {
        guard version != nil, let cipher = unsafe SSL_get_current_cipher(ssl) else { return nil }
        return unsafe SSL_CIPHER_standard_name(cipher).map { unsafe String(cString: $0) }
    }

    /// Bits of the server's finite-field Diffie-Hellman prime; `nil` for every other key exchange, and as for
    /// ``version``. Those of TLS 1.3 are named groups of 2,048 bits or more (RFC 7919), which nobody need look at.
    package var diffieHellmanBits: Int? {
        guard version != nil, let cipher = unsafe SSL_get_current_cipher(ssl),
            unsafe SSL_CIPHER_get_kx_nid(cipher) == NID_kx_dhe
        else { return nil }
        var lent: OpaquePointer?
        guard unsafe COpenSSL_SSL_get_peer_tmp_key(ssl, &lent) == 1, let key = unsafe lent else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe Int(EVP_PKEY_get_bits(key))
    }

    /// Whether the server has signed this very handshake before the client certificate is due. It has not where the
    /// client encrypts to the server's key (RFC 5246 section 7.4.7.1): whoever copied its chain comes as far.
    package var serverSignedFirst: Bool {
        guard let cipher = unsafe SSL_get_pending_cipher(ssl) else { return false }
        return unsafe [NID_kx_any, NID_kx_ecdhe, NID_kx_dhe].contains(SSL_CIPHER_get_kx_nid(cipher))
    }

    /// Whether the server was sent the client certificate. One that was decided on is not where the server takes no
    /// signature that the key can make.
    package var certificateShown: Bool { seen.certificateShown }

    /// The protocol that the server chose by ALPN, bytes that are no UTF-8 replaced.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        guard let start = unsafe name, length > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
    }
}
