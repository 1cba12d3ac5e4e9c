internal import Glibc
internal import PinwatchCore

/// A bound, listening, non-blocking TCP socket, closed on exec, that its owner must close or hand on.
struct ListeningSocket {
    let descriptor: Int32
    /// As bound: the port that the system chose where 0 was asked for.
    let address: ListenAddress

    private static let backlog: Int32 = 512
    /// What the system holds for a peer that does not read, doubled by it (socket(7)); else it grows to megabytes each.
    /// Connections have it from their listener.
    private static let sendBuffer: Int32 = 128 << 10

    /// An IPv6 address takes no IPv4 connections, so that what is reachable is what is written.
    ///
    /// - Throws: ``HTTPFailure/cannotListen(address:errno:)`` for the step that failed.
    init(_ wanted: ListenAddress) throws(HTTPFailure) {
        let family = wanted.address.isIPv6 ? AF_INET6 : AF_INET
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .cannotListen(address: wanted.description, errno: errno) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        var buffer = Self.sendBuffer
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &buffer, size)
        if wanted.address.isIPv6 { _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
        guard Self.bind(descriptor, to: wanted) == 0, listen(descriptor, Self.backlog) == 0,
            let port = Self.port(of: descriptor)
        else {
            let reason = errno
            close(descriptor)
            throw .cannotListen(address: wanted.description, errno: reason)
        }
        self.descriptor = descriptor
        address = ListenAddress(address: wanted.address, port: port)
    }

    private static func bind(_ descriptor: Int32, to wanted: ListenAddress) -> Int32 {
        if wanted.address.isIPv6 {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = wanted.port.bigEndian
            unsafe withUnsafeMutableBytes(of: &name.sin6_addr) { unsafe $0.copyBytes(from: wanted.address.bytes) }
            return bind(descriptor, name)
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = wanted.port.bigEndian
        unsafe withUnsafeMutableBytes(of: &name.sin_addr) { unsafe $0.copyBytes(from: wanted.address.bytes) }
        return bind(descriptor, name)
    }

    private static func bind<Name>(_ descriptor: Int32, _ name: Name) -> Int32 {
        unsafe withUnsafePointer(to: name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
            }
        }
    }

    /// The bound port; its place is the same for both families.
    private static func port(of descriptor: Int32) -> UInt16? {
        var name = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        return result == 0 ? UInt16(bigEndian: name.sin6_port) : nil
    }
}
