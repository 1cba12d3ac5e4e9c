internal import COpenSSL
internal import Glibc
package import PinwatchCore

/// One client handshake over a connected, non-blocking socket that the caller owns and closes afterwards.
///
/// It is used by one thread at a time and waits for nothing: call ``step()`` when the socket is ready.
@safe package final class Handshake {
    private let ssl: OpaquePointer
    private let context: HandshakeContext
    private let messageLimit: Int
    private var isEstablished = false
    var seen = ServerFlight()

    /// - Parameters:
    ///   - descriptor: Connected or connecting; not closed here.
    ///   - serverName: The A-label without a trailing dot; `nil` sends no name, as for IP literals (RFC 6066 section 3).
    ///   - messageLimit: Bytes of the longest message that is read, header apart; see ``HandshakeContext``.
    /// - Throws: ``HandshakeSetupError`` where there is no memory.
    package init(
        context: HandshakeContext, descriptor: Int32, serverName: HostName?,
        messageLimit: Int = HandshakeContext.ordinaryMessageLimit
    ) throws(HandshakeSetupError) {
        OpenSSLErrors.clear()
        guard let ssl = unsafe SSL_new(context.handle) else { throw .init(step: "SSL_new") }
        self.context = context
        self.messageLimit = messageLimit
        unsafe self.ssl = unsafe ssl
        guard unsafe SSL_set_wfd(ssl, descriptor) == 1, let nothing = unsafe BIO_new(BIO_s_mem()) else {
            throw .init(step: "SSL_set_wfd")
        }
        unsafe SSL_set0_rbio(ssl, nothing)
        if let name = serverName?.ascii, unsafe COpenSSL_SSL_set_tlsext_host_name(ssl, name) != 1 {
            throw .init(step: "SSL_set_tlsext_host_name \(name)")
        }
        if messageLimit != HandshakeContext.ordinaryMessageLimit {
            _ = unsafe COpenSSL_SSL_set_max_cert_list(ssl, messageLimit)
        }
        unsafe SSL_set_connect_state(ssl)
        // The callback runs only within `step()`, while this object is alive.
        _ = unsafe COpenSSL_SSL_set_msg_callback_arg(ssl, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    /// Lets the handshake read from the socket. Until then it sends its hello and reads nothing, so that the caller can
    /// look at the first bytes and tell a server that speaks something else.
    ///
    /// - Returns: Whether there was memory for it.
    package func beginReading() -> Bool {
        unsafe SSL_set_rfd(ssl, SSL_get_wfd(ssl)) == 1
    }

    /// Goes on as far as the socket allows. After `done` or `failed` it must not be called again.
    package func step() -> HandshakeStep {
        OpenSSLErrors.clear()
        if isEstablished { return awaitServer() }
        let result = unsafe SSL_do_handshake(ssl)
        let number = errno
        guard result == 1 else { return step(after: result, errno: number) }
        isEstablished = true
        guard let message = seen.certificate, message.flaw != nil || !message.entries.isEmpty else {
            return .failed(.noCertificate)
        }
        if let flaw = message.flaw { return .failed(.certificateMalformed(reason: flaw)) }
        guard seen.certificateRequested, unsafe SSL_version(ssl) == TLS1_3_VERSION else { return .done }
        OpenSSLErrors.clear()
        return awaitServer()
    }

    /// In TLS 1.3 the client is done before the server judged its (missing) certificate. Any record but an alert, a
    /// session ticket mostly, says that it did not mind.
    private func awaitServer() -> HandshakeStep {
        seen.ticketArrived = false
        var byte: UInt8 = 0
        let result = unsafe SSL_peek(ssl, &byte, 1)
        let number = errno
        if result > 0 || seen.ticketArrived { return .done }
        let step = step(after: result, errno: number)
        return step == .wantRead ? .awaitsServer : step
    }

    private func step(after result: Int32, errno number: Int32) -> HandshakeStep {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantRead
        case SSL_ERROR_WANT_WRITE: return .wantWrite
        case SSL_ERROR_ZERO_RETURN: return .failed(.closed)
        case SSL_ERROR_SYSCALL where OpenSSLErrors.isEmpty:
            switch number {
            case 0: return .failed(.closed)
            case ECONNRESET, EPIPE, ECONNABORTED: return .failed(.reset)
            default: return .failed(.system(number: number))
            }
        default:
            return unsafe .failed(
                seen.failure(
                    OpenSSLErrors.drain(), isTLS13: SSL_version(ssl) == TLS1_3_VERSION, messageLimit: messageLimit))
        }
    }
}

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

    /// The protocol that the server chose by ALPN, bytes that are no UTF-8 replaced.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        guard let start = unsafe name, length > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
    }
}
