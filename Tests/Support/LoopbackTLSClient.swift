internal import CLinux
internal import COpenSSL
internal import Glibc

/// A TLS client of one connection to 127.0.0.1 that trusts anybody: it looks at what a server of ours presents.
///
/// Every call blocks, for at most twenty seconds; ``blocking(_:)`` keeps it off the pool that the server needs.
@safe package final class LoopbackTLSClient {
    package struct Refused: Error {}

    package enum Version: Sendable {
        case tls11, tls12, tls13

        fileprivate var number: Int32 {
            switch self {
            case .tls11: TLS1_1_VERSION
            case .tls12: TLS1_2_VERSION
            case .tls13: TLS1_3_VERSION
            }
        }
    }

    private let descriptor: Int32
    private let context: OpaquePointer
    private let session: OpaquePointer

    /// Connects and shakes hands in this version alone.
    ///
    /// - Throws: ``SocketProblem`` where there is no connection, ``Refused`` where the handshake fails.
    package init(port: UInt16, version: Version = .tls13) throws {
        descriptor = try Self.connected(to: port)
        guard let context = unsafe SSL_CTX_new(TLS_client_method()), let session = unsafe SSL_new(context) else {
            preconditionFailure("OpenSSL is out of memory")
        }
        unsafe self.context = context
        unsafe self.session = session
        // SSL_CTRL_SET_MIN_PROTO_VERSION and SSL_CTRL_SET_MAX_PROTO_VERSION, whose macros are not imported.
        unsafe SSL_set_security_level(session, 0)
        for control in [Int32(123), 124] { unsafe SSL_ctrl(session, control, Int(version.number), nil) }
        guard unsafe SSL_set_fd(session, descriptor) == 1, unsafe SSL_connect(session) == 1 else { throw Refused() }
    }

    deinit {
        unsafe SSL_free(session)
        unsafe SSL_CTX_free(context)
        close(descriptor)
    }

    private static func connected(to port: UInt16) throws(SocketProblem) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            defer { close(descriptor) }
            throw SocketProblem(call: "connect", code: errno)
        }
        return descriptor
    }

    /// The DER of what the server presented, the leaf first.
    package var chain: [[UInt8]] {
        guard let stack = unsafe SSL_get_peer_cert_chain(session) else { return [] }
        return unsafe (0..<OPENSSL_sk_num(stack)).map { index in
            let certificate = unsafe OpaquePointer(OPENSSL_sk_value(stack, index))
            var der = [UInt8](repeating: 0, count: max(0, Int(unsafe i2d_X509(certificate, nil))))
            unsafe der.withUnsafeMutableBufferPointer { buffer in
                var cursor = buffer.baseAddress
                _ = unsafe i2d_X509(certificate, &cursor)
            }
            return der
        }
    }

    /// Sends, then reads until the text holds `mark`; what came so far if the server ends before.
    package func exchange(_ request: String, until mark: String) -> String {
        let bytes = Array(request.utf8)
        unsafe _ = SSL_write(session, bytes, Int32(bytes.count))
        return read(until: mark)
    }

    package func read(until mark: String) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while !String(decoding: text, as: UTF8.self).contains(mark) {
            let count = unsafe SSL_read(session, &buffer, Int32(buffer.count))
            guard count > 0 else { break }
            text += buffer.prefix(Int(count))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Runs what blocks on a thread of its own.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DetachedThread.start { continuation.resume(with: Result(catching: body)) }
    }
}
