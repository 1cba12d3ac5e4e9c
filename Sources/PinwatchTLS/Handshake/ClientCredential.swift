internal import COpenSSL
package import PinwatchCore

/// A client certificate with its key, loaded for the handshakes of one ``HandshakeLibrary``.
@safe package final class ClientCredential: Sendable {
    private let leaf: X509Handle
    private let issuers: [X509Handle]
    private let key: PrivateKeyHandle

    /// - Throws: Why OpenSSL cannot use it. No word of the key is shown.
    package init(_ certificate: ClientCertificate, library: HandshakeLibrary) throws(HostProblem) {
        defer { library.leaveThread() }
        key = try PrivateKeyHandle(Array(certificate.key.revealed.utf8), library: library)
        var handles: [X509Handle] = []
        for (index, entry) in certificate.chain.enumerated() {
            guard let handle = X509Handle(entry.der, library: library) else {
                throw HostProblem("certificate \(index + 1) cannot be loaded by OpenSSL")
            }
            handles.append(handle)
        }
        guard let leaf = handles.first, key.belongs(to: leaf) else {
            throw HostProblem("the key does not belong to the certificate")
        }
        self.leaf = leaf
        issuers = Array(handles.dropFirst())
    }

    /// Gives a connection the certificate, its issuers as they are in the file, and the key; each is counted once more.
    ///
    /// - Returns: Whether all of them were taken.
    func use(on ssl: OpaquePointer) -> Bool {
        guard let chain = unsafe pinwatch_x509_stack_new() else { return false }
        defer { unsafe pinwatch_x509_stack_free(chain) }
        for issuer in issuers {
            guard unsafe pinwatch_x509_stack_push(chain, issuer.pointer) == 1 else { return false }
        }
        return unsafe SSL_use_certificate(ssl, leaf.pointer) == 1 && COpenSSL_SSL_set1_chain(ssl, chain) == 1
            && SSL_use_PrivateKey(ssl, key.pointer) == 1
    }
}

/// How far a handshake is with the client certificate that it was given.
enum ClientCertificateStage {
    /// The server has not asked for one, or nobody has said yet what it is to get.
    case undecided
    /// The server gets the certificate.
    case shown
    /// The server is told that there is none.
    case withheld
}

/// SSL_CTX_set_cert_cb(3): called when the server asked for a certificate, after it sent its own and, where the key
/// exchange has it sign, proved its key: in TLS 1.3 after CertificateVerify (RFC 8446 section 4.4.3), before that after
/// ServerKeyExchange.
func chooseClientCertificate(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let ssl = unsafe ssl, let argument = unsafe argument else { return 0 }
    let handshake = unsafe Unmanaged<Handshake>.fromOpaque(argument).takeUnretainedValue()
    switch handshake.clientCertificateStage {
    // The handshake stops here until it is decided (SSL_ERROR_WANT_X509_LOOKUP).
    case .undecided: return -1
    case .withheld: return 1
    case .shown: return unsafe handshake.credential?.use(on: ssl) == true ? 1 : 0
    }
}
