internal import CLinux
internal import Glibc
internal import Synchronization

/// A server on 127.0.0.1 that does to every connection what its script says, and keeps what it heard.
///
/// One thread serves all connections; a stalled one costs nothing. It ends with the object.
package final class LoopbackServer: Sendable {
    package enum Step: Sendable {
        /// Waits for the client's first bytes.
        case hear
        case send([UInt8])
        /// Sends byte after byte.
        case drip([UInt8], everyMilliseconds: Int64)
        /// Keeps the connection and says nothing more.
        case stall
        case close
        /// Closes with a reset (SO_LINGER of 0 seconds).
        case reset
    }

    private final class Books: Sendable {
        let heard = Mutex<[[UInt8]]>([])
        let isOver = Mutex(false)
    }

    private struct Connection {
        let descriptor: Int32
        var steps: ArraySlice<Step>
        var due: Int64 = 0
        var dripped = 0
    }

    package let port: UInt16
    private let books = Books()

    package convenience init(_ script: Step...) throws {
        try self.init(script: script)
    }

    package init(script: [Step]) throws {
        let listener = try LoopbackSocket(.stream)
        port = listener.port
        let (books, steps) = (books, script)
        DetachedThread.start { Self.serve(listener, steps, books) }
    }

    deinit {
        books.isOver.withLock { $0 = true }
    }

    /// The first bytes of each connection that a `hear` step heard, in the order of arrival.
    package var heard: [[UInt8]] { books.heard.withLock { $0 } }

    private static func serve(_ listener: LoopbackSocket, _ script: [Step], _ books: Books) {
        var connections: [Connection] = []
        while !books.isOver.withLock({ $0 }) {
            var polls = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
            for connection in connections {
                var hears = false
                if case .hear? = connection.steps.first { hears = true }
                polls.append(pollfd(fd: hears ? connection.descriptor : -1, events: Int16(POLLIN), revents: 0))
            }
            _ = unsafe poll(&polls, nfds_t(polls.count), 5)
            for index in connections.indices {
                advance(&connections[index], isReadable: polls[index + 1].revents != 0, books)
            }
            connections.removeAll { $0.steps.isEmpty }
            if polls[0].revents != 0 {
                if let descriptor = listener.accept() {
                    var connection = Connection(descriptor: descriptor, steps: script[...])
                    advance(&connection, isReadable: false, books)
                    if !connection.steps.isEmpty { connections.append(connection) }
                }
            }
        }
        for connection in connections { close(connection.descriptor) }
    }

    private static func advance(_ connection: inout Connection, isReadable: Bool, _ books: Books) {
        var isReadable = isReadable
        while let step = connection.steps.first {
            switch step {
            case .hear:
                guard isReadable else { return }
                isReadable = false
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let count = unsafe recv(connection.descriptor, &bytes, bytes.count, 0)
                books.heard.withLock { $0.append(Array(bytes.prefix(max(0, count)))) }
            case .send(let bytes): _ = unsafe Glibc.send(connection.descriptor, bytes, bytes.count, quiet)
            case .drip(let bytes, let every):
                let now = milliseconds()
                guard now >= connection.due else { return }
                connection.due = now + every
                let next = bytes[connection.dripped % bytes.count]
                connection.dripped += 1
                _ = unsafe Glibc.send(connection.descriptor, [next], 1, quiet)
                return
            case .stall: return
            case .close: close(connection.descriptor)
            case .reset:
                var option = linger(l_onoff: 1, l_linger: 0)
                _ = unsafe setsockopt(
                    connection.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
                close(connection.descriptor)
            }
            connection.steps = connection.steps.dropFirst()
        }
    }

    /// Of CLOCK_MONOTONIC.
    private static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static let quiet = Int32(MSG_NOSIGNAL)
}
