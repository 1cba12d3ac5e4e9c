internal import CLinux
internal import Glibc
internal import Synchronization

/// An HTTP server on loopback with one thread per connection, that answers as a test tells it to, well or badly.
package final class HTTPReceiver: Sendable {
    package struct Request: Sendable, Hashable {
        /// `POST /hook HTTP/1.1`
        package let line: String
        /// By lower-case name.
        package let headers: [String: String]
        package let body: [UInt8]
    }

    package enum Reply: Sendable {
        case status(Int, headers: [String: String] = [:], body: String = "")
        /// These bytes, and then the end of the connection.
        case raw(String)
        /// Nothing at all, until the client leaves.
        case stall
        /// A header, and then bytes for as long as the client takes them.
        case endless(Int)
    }

    package let port: UInt16
    private let listener: Int32
    private let room: Room

    /// - Parameters:
    ///   - ipv6: Listens on `::1` rather than on `127.0.0.1`.
    ///   - reply: Called on a thread of the receiver's with the number of requests before this one.
    package init(ipv6: Bool = false, _ reply: @escaping @Sendable (Int, Request) -> Reply) throws {
        let room = Room(reply)
        let (listener, port) = try Self.listen(ipv6: ipv6)
        (self.listener, self.port, self.room) = (listener, port, room)
        Thread.start {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.start { room.serve(connection) }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    package func url(_ path: String = "/hook", host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    package var requests: [Request] { room.requests.withLock { $0 } }

    /// The requests, once there are at least so many. Ends with the test's time limit, by cancellation.
    package func requests(atLeast count: Int) async throws -> [Request] {
        while true {
            let all = requests
            if all.count >= count { return all }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func listen(ipv6: Bool) throws -> (Int32, UInt16) {
        let descriptor = socket(
            ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketProblem(call: "socket", code: errno) }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_addr = in6addr_loopback
        let bound =
            ipv6
            ? unsafe withUnsafeBytes(of: &six) { unsafe bind(descriptor, $0) }
            : unsafe withUnsafeBytes(of: &four) { unsafe bind(descriptor, $0) }
        guard bound == 0, CLinux.listen(descriptor, 64) == 0 else { throw SocketProblem(call: "bind", code: errno) }
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutablePointer(to: &name) { pointer in
            _ = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        // The port has the same place in both families' addresses.
        return (descriptor, UInt16(bigEndian: name.sin6_port))
    }

    private static func bind(_ descriptor: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
        guard let base = address.baseAddress else { return -1 }
        return unsafe CLinux.bind(
            descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
    }
}

package struct SocketProblem: Error {
    package let call: String
    package let code: Int32
}

/// What the receiver's threads share.
private final class Room: Sendable {
    let requests = Mutex<[HTTPReceiver.Request]>([])
    let reply: @Sendable (Int, HTTPReceiver.Request) -> HTTPReceiver.Reply

    init(_ reply: @escaping @Sendable (Int, HTTPReceiver.Request) -> HTTPReceiver.Reply) {
        self.reply = reply
    }

    func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        let before = requests.withLock { all in
            all.append(request)
            return all.count - 1
        }
        switch reply(before, request) {
        case .status(let status, let headers, let body):
            let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            send(connection, "HTTP/1.1 \(status) Said\r\ncontent-length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
        case .raw(let text):
            send(connection, text)
        case .stall:
            while !receive(connection).isEmpty {}
        case .endless(let status):
            var open = send(connection, "HTTP/1.1 \(status) Said\r\n\r\n")
            let block = String(repeating: "x", count: 65_536)
            while open { open = send(connection, block) }
        }
    }

    private func read(_ connection: Int32) -> HTTPReceiver.Request? {
        var bytes: [UInt8] = []
        var end: Range<Int>?
        while end == nil {
            let more = receive(connection)
            if more.isEmpty { return nil }
            bytes += more
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        }
        guard let end else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        var body = Array(bytes[end.upperBound...])
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while body.count < length {
            let more = receive(connection)
            if more.isEmpty { return nil }
            body += more
        }
        return HTTPReceiver.Request(line: String(lines[0]), headers: headers, body: body)
    }

    private func receive(_ connection: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(connection, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(count, 0)))
    }

    @discardableResult
    private func send(_ connection: Int32, _ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe CLinux.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A detached thread that runs one closure.
private final class Thread: Sendable {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(Thread(body)).toOpaque()
        let code = unsafe pthread_create(&thread, nil, runThread, argument)
        precondition(code == 0, "pthread_create: error \(code)")
        pthread_detach(thread)
    }

    fileprivate func run() { body() }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument = unsafe argument { unsafe Unmanaged<Thread>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
}
