/// Why a handshake ended without success. Whatever it is, what arrived before it is kept.
package enum TLSFailure: Sendable, Hashable {
    /// The server ended the connection in order (a FIN, or `close_notify`).
    case closed
    /// The connection was reset, or broke under a write.
    case reset
    /// Another error of the socket, by its errno.
    case system(number: Int32)
    /// The server sent a fatal alert.
    case alert(number: UInt8)
    /// The server asked for a client certificate and refused when none came, or the one that did.
    case clientCertificateRequired(alert: UInt8)
    /// The server chose a version that was not offered, or its TLS could not be followed, in OpenSSL's words.
    case protocolUnsupported(reason: String)
    /// A message is longer than the handshake was given room for. One that is given
    /// ``HandshakeContext/certificateMessageLimit`` gets further.
    case needsRoom
    /// The Certificate message is longer than this many bytes and was not read.
    case certificateTooLarge(limit: Int)
    /// The Certificate message, or a certificate in it, could not be read by OpenSSL.
    case certificateMalformed(reason: String)
    /// The server proved no identity: an anonymous suite, or an empty Certificate message.
    case noCertificate
}

/// How far a handshake is.
package enum HandshakeStep: Sendable, Hashable {
    /// Call again when the socket is readable.
    case wantRead
    /// Call again when the socket is writable.
    case wantWrite
    /// The server asked for a client certificate and there is one: look at its chain, say by
    /// ``Handshake/decide(showsCertificate:)`` whether it gets it, and call again.
    case judgeServer
    /// The handshake is complete on this side, but the server asked for a client certificate in TLS 1.3 and may yet
    /// refuse: call again when the socket is readable, and take silence of a second for consent.
    case awaitsServer
    case done
    case failed(TLSFailure)
}
