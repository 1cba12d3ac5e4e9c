internal import COpenSSL

/// What a handshake's messages told, the server's above all, noted before OpenSSL judges them, so that it is there even when the
/// handshake then fails.
struct ServerFlight {
    private(set) var certificate: CertificateMessage?
    private(set) var stapledOCSP: [UInt8]?
    private(set) var timestamps = 0
    private(set) var certificateRequested = false
    /// Whether a Certificate message with a certificate went to the server.
    private(set) var certificateShown = false
    /// Set by a NewSessionTicket.
    var ticketArrived = false
    private var lastMessage: UInt8?

    /// Handshake types of RFC 8446 section 4 and RFC 6066 section 8.
    private enum Message {
        static let serverHello: UInt8 = 2
        static let newSessionTicket: UInt8 = 4
        static let encryptedExtensions: UInt8 = 8
        static let certificate: UInt8 = 11
        static let certificateRequest: UInt8 = 13
        static let certificateStatus: UInt8 = 22
    }

    mutating func note(_ message: UnsafeRawBufferPointer, isTLS13: Bool) {
        guard let type = unsafe message.first, message.count >= 4 else { return }
        lastMessage = type
        switch type {
        case Message.certificate where certificate == nil:
            certificate = unsafe CertificateMessage(message: Array(message), isTLS13: isTLS13)
        case Message.certificateRequest: certificateRequested = true
        case Message.newSessionTicket: ticketArrived = true
        case Message.certificateStatus where stapledOCSP == nil:
            stapledOCSP = unsafe TLSExtensions.ocspResponse(Array(message.dropFirst(4))[...])
        case Message.serverHello: timestamps = unsafe Self.timestamps(serverHello: Array(message))
        default: break
        }
    }

    /// Notes a message of this side's. One without a certificate has 7 bytes, in TLS 1.3 8.
    mutating func noteSent(_ message: UnsafeRawBufferPointer) {
        if unsafe message.first == Message.certificate, message.count > 8 { certificateShown = true }
    }

    private static func timestamps(serverHello message: [UInt8]) -> Int {
        var reader = ByteReader(message.dropFirst(4 + 2 + 32))
        guard reader.vector(1) != nil, reader.bytes(3) != nil, let extensions = reader.vector(2) else { return 0 }
        return TLSExtensions.body(18, in: extensions).map(TLSExtensions.timestamps) ?? 0
    }

    /// Turns OpenSSL's error queue into a failure, with the help of what had arrived by then.
    ///
    /// - Parameter messageLimit: What the handshake was given.
    func failure(_ errors: [OpenSSLErrors.Entry], isTLS13: Bool, messageLimit: Int) -> TLSFailure {
        let ofTLS = errors.filter { $0.library == ERR_LIB_SSL }
        let offset = Int32(SSL_AD_REASON_OFFSET)
        if let alert = ofTLS.first(where: { (offset...offset + 255).contains($0.reason) }) {
            let number = UInt8(alert.reason - offset)
            let refusals = certificateShown ? TLSAlert.refusingCertificate : TLSAlert.refusingWithoutCertificate
            return certificateRequested && refusals.contains(number)
                ? .clientCertificateRequired(alert: number) : .alert(number: number)
        }
        if ofTLS.contains(where: { $0.reason == SSL_R_UNEXPECTED_EOF_WHILE_READING }) { return .closed }
        if ofTLS.contains(where: { $0.reason == SSL_R_EXCESSIVE_MESSAGE_SIZE }) {
            if messageLimit < HandshakeContext.certificateMessageLimit { return .needsRoom }
            if expectsCertificate(isTLS13: isTLS13) { return .certificateTooLarge(limit: messageLimit) }
        }
        let reason = errors.map(\.text).joined(separator: "; ")
        guard lastMessage == Message.certificate, let certificate else { return .protocolUnsupported(reason: reason) }
        if let flaw = certificate.flaw { return .certificateMalformed(reason: flaw) }
        return certificate.entries.isEmpty ? .noCertificate : .certificateMalformed(reason: reason)
    }

    private func expectsCertificate(isTLS13: Bool) -> Bool {
        guard certificate == nil, let lastMessage else { return false }
        return isTLS13
            ? lastMessage == Message.encryptedExtensions || lastMessage == Message.certificateRequest
            : lastMessage == Message.serverHello
    }
}

/// SSL_CTX_set_msg_callback(3): called for every protocol message with the argument set for its connection.
func noteMessage(
    _ sent: Int32, _ version: Int32, _ contentType: Int32, _ bytes: UnsafeRawPointer?, _ count: Int,
    _ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?
) {
    guard contentType == SSL3_RT_HANDSHAKE, let argument = unsafe argument else { return }
    let handshake = unsafe Unmanaged<Handshake>.fromOpaque(argument).takeUnretainedValue()
    let message = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    guard sent == 0 else { return unsafe handshake.seen.noteSent(message) }
    unsafe handshake.seen.note(message, isTLS13: SSL_version(ssl) == TLS1_3_VERSION)
}
