internal import CLinux
internal import Glibc

/// A TCP listener on 127.0.0.1 with a thread of its own, for the demonstration's hosts and receiver.
///
/// Clients are served one after another, each with two seconds for every read and write, which is plenty for peers that
/// live in the same process.
package final class LoopbackListener: Sendable {
    /// The port that the system chose.
    package let port: UInt16
    private let socket: Int32
    private let serve: @Sendable (Int32) -> Void

    /// Listens at once.
    ///
    /// - Parameter serve: Is given each client's descriptor on the listener's thread; the listener closes it afterwards.
    /// - Throws: ``DemonstrationError`` if no socket or thread can be had.
    package init(serve: @escaping @Sendable (Int32) -> Void) throws(DemonstrationError) {
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
            let reason = unsafe String(cString: pinwatch_error_text(errno))
            if descriptor >= 0 { close(descriptor) }
            throw DemonstrationError("no loopback port could be opened: \(reason)")
        }
        socket = descriptor
        port = UInt16(bigEndian: address.sin_port)
        self.serve = serve
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe pthread_create(&thread, nil, loopbackListenerMain, context) == 0 else {
            unsafe Unmanaged<LoopbackListener>.fromOpaque(context).release()
            throw DemonstrationError("no thread could be made for a loopback listener")
        }
        pthread_detach(thread)
    }

    /// The thread holds its listener, so that this runs after both the last client and the last call to ``stop()``.
    deinit {
        close(socket)
    }

    /// Refuses further connections; the thread ends with the client at hand.
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
            serve(client)
            close(client)
        }
    }
}

/// The C entry of ``LoopbackListener``'s thread; it takes over the reference that `init` retained.
private func loopbackListenerMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<LoopbackListener>.fromOpaque(context).takeRetainedValue().acceptUntilStopped()
    }
    return nil
}
