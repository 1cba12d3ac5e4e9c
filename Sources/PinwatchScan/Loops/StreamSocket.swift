internal import CLinux
internal import Glibc
internal import PinwatchCore

/// System calls on TCP sockets, each a thin name over its manual page. None of them blocks.
enum StreamSocket {
    /// ``connect(to:port:)``, or what stands in for it.
    typealias Connect = @Sendable (_ address: IPAddress, _ port: UInt16) -> (descriptor: Int32, number: Int32)

    /// Whether a system call failed for want of something on this machine, which says nothing about any server: open
    /// files (socket(2): EMFILE, ENFILE), memory (ENOBUFS, ENOMEM), or epoll watches (epoll_ctl(2): ENOSPC).
    static func isOurShortage(_ number: Int32) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC].contains(number)
    }

    /// Begins a connection from a new socket, closed on exec.
    ///
    /// - Returns: The descriptor with errno 0 or EINPROGRESS; or -1 and why.
    static func connect(to address: IPAddress, port: UInt16) -> (descriptor: Int32, number: Int32) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { return (-1, errno) }
        let result = unsafe withSocketAddress(of: address, port: port) { unsafe Glibc.connect(descriptor, $0, $1) }
        let number = result == 0 ? 0 : errno
        if number == 0 || number == EINPROGRESS { return (descriptor, number) }
        close(descriptor)
        return (-1, number)
    }

    /// The pending error of a socket, which is cleared by asking (socket(7), SO_ERROR).
    static func error(of descriptor: Int32) -> Int32 {
        var number: Int32 = 0
        var size = socklen_t(4)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno
    }

    /// What a look at what has arrived found.
    enum Peek {
        case bytes([UInt8])
        case nothingYet
        case end
        case failed(Int32)
    }

    /// At most the first `limit` bytes that have arrived.
    static func peek(_ descriptor: Int32, limit: Int) -> Peek {
        receive(descriptor, limit: limit, flags: Int32(MSG_PEEK))
    }

    /// Takes at most `limit` bytes of what has arrived.
    static func read(_ descriptor: Int32, limit: Int) -> Peek {
        receive(descriptor, limit: limit, flags: 0)
    }

    /// What became of bytes that were to be sent.
    enum Sent {
        case taken(Int)
        case fullNow
        case failed(Int32)
    }

    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Sent {
        unsafe bytes.withUnsafeBytes { buffer in
            let count = unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .taken(count) }
            return errno == EAGAIN || errno == EINTR ? .fullNow : .failed(errno)
        }
    }

    private static func receive(_ descriptor: Int32, limit: Int, flags: Int32) -> Peek {
        unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            let count = unsafe recv(descriptor, buffer.baseAddress, limit, flags)
            if count > 0 { return unsafe .bytes(Array(buffer.prefix(count))) }
            if count == 0 { return .end }
            return errno == EAGAIN || errno == EINTR ? .nothingYet : .failed(errno)
        }
    }

    private static func withSocketAddress(
        of address: IPAddress, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        if address.isIPv6 {
            var to = sockaddr_in6()
            to.sin6_family = sa_family_t(AF_INET6)
            to.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &to.sin6_addr) { unsafe $0.copyBytes(from: address.bytes) }
            return unsafe withUnsafePointer(to: &to) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var to = sockaddr_in()
        to.sin_family = sa_family_t(AF_INET)
        to.sin_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &to.sin_addr) { unsafe $0.copyBytes(from: address.bytes) }
        return unsafe withUnsafePointer(to: &to) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
