internal import COpenSSL
internal import Synchronization

/// A TLS server on loopback that shows one certificate at a time and hangs up after the handshake.
package final class DemonstrationHost: Sendable {
    private let listener: LoopbackListener
    private let shown: Shown

    package init(_ first: DemonstrationIdentity) throws(DemonstrationError) {
        let shown = Shown(first)
        self.shown = shown
        listener = try LoopbackListener { client in DemonstrationHost.shakeHands(client, showing: shown.identity) }
    }

    package var port: UInt16 { listener.port }

    /// Every handshake from now on shows this certificate.
    package func serve(_ next: DemonstrationIdentity) { shown.identity = next }

    /// Refuses further connections.
    package func stop() { listener.stop() }

    private static func shakeHands(_ client: Int32, showing identity: DemonstrationIdentity) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { return }
        defer { unsafe SSL_CTX_free(context) }
        unsafe SSL_CTX_use_PrivateKey(context, identity.key.handle)
        unsafe SSL_CTX_use_certificate_ASN1(context, Int32(identity.der.count), identity.der)
        guard let session = unsafe SSL_new(context) else { return }
        defer { unsafe SSL_free(session) }
        unsafe SSL_set_fd(session, client)
        if unsafe SSL_accept(session) == 1 { unsafe SSL_shutdown(session) }
        ERR_clear_error()
    }
}

/// What a host shows, shared with its listener's thread.
private final class Shown: Sendable {
    private let value: Mutex<DemonstrationIdentity>

    init(_ first: DemonstrationIdentity) { value = Mutex(first) }

    var identity: DemonstrationIdentity {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
