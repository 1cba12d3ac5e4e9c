internal import COpenSSL
internal import Glibc
internal import Synchronization

/// A TLS server on 127.0.0.1 that shows one certificate and hangs up after the handshake.
///
/// One thread accepts and shakes hands in turn, two seconds a client at most, which is plenty for a service that visits
/// every few seconds.
@safe
package final class DemonstrationHost: Sendable {
    /// The port that the system chose.
    package let port: UInt16
    private let socket: Int32
    private let identity: Mutex<DemonstrationIdentity>

    /// Listens at once. - Throws: ``DemonstrationError`` if no socket or thread can be had.
    package init(_ first: DemonstrationIdentity) throws(DemonstrationError) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard descriptor >= 0, bound else {
            let reason = unsafe String(cString: strerror(errno))
            close(descriptor)
            throw DemonstrationError("no loopback port could be opened for a demonstration host: \(reason)")
        }
        socket = descriptor
        port = UInt16(bigEndian: address.sin_port)
        identity = Mutex(first)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe pthread_create(&thread, nil, demonstrationHostMain, context) == 0 else {
            unsafe Unmanaged<DemonstrationHost>.fromOpaque(context).release()
            throw DemonstrationError("no thread could be made for a demonstration host")
        }
        pthread_detach(thread)
    }

    /// Every handshake from now on shows this certificate.
    package func serve(_ next: DemonstrationIdentity) {
        identity.withLock { $0 = next }
    }

    /// Refuses further connections; the thread ends with the one at hand.
    package func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    fileprivate func acceptUntilStopped() {
        while true {
            let client = accept(socket, nil, nil)
            guard client >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            var limit = timeval(tv_sec: 2, tv_usec: 0)
            unsafe setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            unsafe setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            shakeHands(client, showing: identity.withLock { $0 })
            close(client)
        }
        close(socket)
    }

    private func shakeHands(_ client: Int32, showing identity: DemonstrationIdentity) {
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

/// The C entry of ``DemonstrationHost``'s thread; it takes over the reference that `init` retained.
private func demonstrationHostMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<DemonstrationHost>.fromOpaque(context).takeRetainedValue().acceptUntilStopped()
    }
    return nil
}
