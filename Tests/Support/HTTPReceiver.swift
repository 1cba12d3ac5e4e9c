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

    package var port: UInt16 { listener.port }
    private let listener: LoopbackSocket
    private let room: Room

    /// - Parameters:
    ///   - ipv6: Listens on `::1` rather than on `127.0.0.1`.
    ///   - reply: Called on a thread of the receiver's with the number of requests before this one.
    package init(ipv6: Bool = false, _ reply: @escaping @Sendable (Int, Request) -> Reply) throws {
        let room = Room(reply)
        let listener = try LoopbackSocket(.stream, ipv6: ipv6)
        (self.listener, self.room) = (listener, room)
        DetachedThread.start {
            while let connection = listener.accept() {
                DetachedThread.start { room.serve(connection) }
            }
        }
    }

    deinit {
        listener.shut()
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
