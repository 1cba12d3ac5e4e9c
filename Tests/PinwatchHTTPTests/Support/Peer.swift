import Glibc
import PinwatchCore

/// A client that sends exactly the bytes it is told to, without blocking a thread: the server under test needs the pool.
final class Peer {
    struct Answer {
        let status: Int
        /// Lower-case names.
        let headers: [String: String]
        let body: String
    }

    enum Failure: Error {
        case connect(Int32)
        case timedOut(received: String)
        case closed(received: String)
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// - Parameter receiveBuffer: Bytes that arrive without being read, doubled by the system; `nil` for as many as it likes.
    init(_ listen: ListenAddress, receiveBuffer: Int32? = nil) async throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size)
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = listen.port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else { throw Failure.connect(errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends all of the bytes, or as many as the server takes before it resets the connection.
    func send(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        try await wait {
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe Glibc.send(self.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0 {
                    if errno == EAGAIN || errno == ENOTCONN || errno == EINPROGRESS { return false }
                    throw Failure.closed(received: String(decoding: self.received, as: UTF8.self))
                }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// The next answer on the connection; without a body if the request was a HEAD.
    func answer(toHead: Bool = false) async throws -> Answer {
        var answer: Answer?
        try await wait {
            let isOpen = self.read()
            answer = self.take(toHead: toHead)
            if answer == nil, !isOpen { throw Failure.closed(received: String(decoding: self.received, as: UTF8.self)) }
            return answer != nil
        }
        guard let answer else { throw Failure.timedOut(received: "") }
        return answer
    }

    /// What comes next, whatever it is; `nil` at the end.
    func some() async throws -> [UInt8]? {
        var isOpen = true
        try await wait {
            isOpen = self.read()
            return !self.received.isEmpty || !isOpen
        }
        defer { received = [] }
        return received.isEmpty ? nil : received
    }

    /// Waits until the server has closed the connection, by an end or a reset.
    func end(within limit: Duration = .seconds(20)) async throws {
        try await wait(limit) { !self.read() }
    }

    /// Shuts both directions and drops the socket.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func wait(_ limit: Duration = .seconds(20), _ isDone: () throws -> Bool) async throws {
        let end = ContinuousClock.now + limit
        while try !isDone() {
            guard ContinuousClock.now < end else {
                throw Failure.timedOut(received: String(decoding: received, as: UTF8.self))
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Takes what has arrived; false once there will be no more.
    private func read() -> Bool {
        while true {
            let count = unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
                let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if count > 0 { unsafe received.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                return count
            }
            if count <= 0 { return count < 0 && (errno == EAGAIN || errno == ENOTCONN) }
        }
    }

    private func take(toHead: Bool) -> Answer? {
        let text = String(decoding: received, as: UTF8.self)
        guard let gap = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<gap.lowerBound].split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        let start = text[..<gap.upperBound].utf8.count
        let isBare = toHead || status == 304 || status == 204 || status == 100
        let length = isBare ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
        guard received.count >= start + length else { return nil }
        let body = String(decoding: received[start..<start + length], as: UTF8.self)
        received.removeFirst(start + length)
        return Answer(status: status, headers: headers, body: body)
    }
}
