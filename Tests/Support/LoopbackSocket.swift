internal import CLinux
internal import Glibc

/// A socket on a free port of loopback, closed on exec, and closed with its last owner: a thread that serves it holds it,
/// so that no number is shut or closed that has become another's.
package final class LoopbackSocket: Sendable {
    package enum Kind: Sendable {
        /// TCP, listening.
        case stream
        /// UDP.
        case datagram
    }

    package let descriptor: Int32
    package let port: UInt16

    /// - Parameter ipv6: Binds to `::1` rather than to `127.0.0.1`.
    /// - Throws: ``SocketProblem`` for the call that failed.
    package init(_ kind: Kind, ipv6: Bool = false) throws(SocketProblem) {
        let type = kind == .stream ? SOCK_STREAM : SOCK_DGRAM
        let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketProblem(call: "socket", code: errno) }
        var name = Self.loopback(ipv6: ipv6)
        var size = socklen_t(ipv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        let failed = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> String? in
                if unsafe bind(descriptor, generic, size) != 0 { return "bind" }
                if kind == .stream, listen(descriptor, 1_024) != 0 { return "listen" }
                return unsafe getsockname(descriptor, generic, &size) == 0 ? nil : "getsockname"
            }
        }
        if let failed {
            let problem = SocketProblem(call: failed, code: errno)
            close(descriptor)
            throw problem
        }
        self.descriptor = descriptor
        // The port has the same place in both families' addresses.
        port = UInt16(bigEndian: name.sin6_port)
    }

    /// Port 0 of loopback, in the larger of the two families' addresses.
    private static func loopback(ipv6: Bool) -> sockaddr_in6 {
        var name = sockaddr_in6()
        if ipv6 {
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_addr = in6addr_loopback
        } else {
            var four = sockaddr_in()
            four.sin_family = sa_family_t(AF_INET)
            four.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            unsafe withUnsafeMutableBytes(of: &name) { unsafe $0.storeBytes(of: four, as: sockaddr_in.self) }
        }
        return name
    }

    deinit {
        close(descriptor)
    }

    /// The next connection, closed on exec, which its taker closes; `nil` once the socket is shut or fails.
    package func accept() -> Int32? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                return connection
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends the present and every later ``accept()``.
    package func shut() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

package struct SocketProblem: Error {
    package let call: String
    package let code: Int32
}
