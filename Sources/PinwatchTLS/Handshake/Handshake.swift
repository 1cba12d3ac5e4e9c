internal import COpenSSL
internal import Glibc
package import PinwatchCore

/// One client handshake over a connected, non-blocking socket that the caller owns and closes afterwards.
///
/// It is used by one thread at a time and waits for nothing: call ``step()`` when the socket is ready.
@safe package final class Handshake {
    let ssl: OpaquePointer
    private let context: HandshakeContext
    private let messageLimit: Int
    private(set) var isEstablished = false
    var seen = ServerFlight()
    let credential: ClientCredential?
    private(set) var clientCertificateStage = ClientCertificateStage.undecided

    /// - Parameters:
    ///   - descriptor: Connected or connecting; not closed here.
    ///   - serverName: The A-label without a trailing dot; `nil` sends no name, as for IP literals (RFC 6066 section 3).
    ///   - messageLimit: Bytes of the longest message that is read, header apart; see ``HandshakeContext``.
    ///   - credential: What the server may be shown if it asks: the handshake then stops at ``HandshakeStep/judgeServer``.
    /// - Throws: ``HandshakeSetupError`` where there is no memory.
    package init(
        context: HandshakeContext, descriptor: Int32, serverName: HostName?,
        messageLimit: Int = HandshakeContext.ordinaryMessageLimit, credential: ClientCredential? = nil
    ) throws(HandshakeSetupError) {
        OpenSSLErrors.clear()
        guard let ssl = unsafe SSL_new(context.handle) else { throw .init(step: "SSL_new") }
        self.context = context
        self.messageLimit = messageLimit
        self.credential = credential
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
        // The callbacks run only within `step()`, while this object is alive.
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe COpenSSL_SSL_set_msg_callback_arg(ssl, argument)
        guard credential != nil else { return }
        // A hello that is narrowed to keys of one family asks that of the server, not of this side's certificate.
        guard unsafe COpenSSL_SSL_set1_client_sigalgs_list(ssl, HelloOffer.everySignature) == 1 else {
            throw .init(step: "SSL_set1_client_sigalgs_list")
        }
        _ = unsafe COpenSSL_SSL_set_no_auto_chain(ssl)
        unsafe SSL_set_cert_cb(ssl, chooseClientCertificate, argument)
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

    /// Says whether the server gets the client certificate, after ``HandshakeStep/judgeServer`` and before the next step.
    package func decide(showsCertificate: Bool) {
        clientCertificateStage = showsCertificate ? .shown : .withheld
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
        case SSL_ERROR_WANT_X509_LOOKUP: return .judgeServer
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
