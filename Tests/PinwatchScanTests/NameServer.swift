import Glibc
import Synchronization
import TestSupport

/// A name server on loopback that gives every name the address 192.0.2.1, for as long as a test holds it. Of names that
/// begin with `lie` it tells nothing that belongs to the question: another transaction's, cut short, another name's.
final class NameServer: Sendable {
    private let socket: LoopbackSocket
    private let counter: Counter
    var port: UInt16 { socket.port }
    /// Questions for IPv4 addresses so far.
    var questions: Int { counter.count.withLock(\.self) }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    /// - Parameter lifetime: Time to live of the record, in seconds.
    init(lifetime: UInt32) throws {
        socket = try LoopbackSocket(.datagram)
        counter = Counter()
        let (socket, counter) = (socket, counter)
        DetachedThread.start {
            while Self.serve(socket.descriptor, lifetime, counter) {}
        }
    }

    /// - Returns: False once the socket is shut.
    private static func serve(_ descriptor: Int32, _ lifetime: UInt32, _ counter: Counter) -> Bool {
        var question = [UInt8](repeating: 0, count: 512)
        var peer = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let length = unsafe withUnsafeMutablePointer(to: &peer) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe recvfrom(descriptor, &question, question.count, 0, $0, &size)
            }
        }
        guard length > 12 else { return false }
        for answer in answers(to: Array(question.prefix(length)), lifetime, counter) {
            _ = unsafe withUnsafePointer(to: &peer) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe sendto(descriptor, answer, answer.count, 0, $0, size)
                }
            }
        }
        return true
    }

    /// RFC 1035 section 4.1: the question repeated, and for IPv4 one record that points back to its name.
    private static func answers(to question: [UInt8], _ lifetime: UInt32, _ counter: Counter) -> [[UInt8]] {
        guard let end = question[12...].firstIndex(of: 0), question.count >= end + 5 else { return [] }
        let isIPv4 = question[end + 2] == 1
        if isIPv4 { counter.count.withLock { $0 += 1 } }
        var answer = question.prefix(2) + [0x81, 0x80, 0, 1, 0, isIPv4 ? 1 : 0, 0, 0, 0, 0] + question[12..<end + 5]
        if isIPv4 {
            let seconds = (0..<4).map { UInt8(truncatingIfNeeded: lifetime >> (24 - 8 * $0)) }
            answer += [0xC0, 12, 0, 1, 0, 1] + seconds + [0, 4, 192, 0, 2, 1]
        }
        guard question[13...].starts(with: Array("lie".utf8)) else { return [Array(answer)] }
        var (other, renamed) = (Array(answer), Array(answer))
        other[0] ^= 0xFF
        renamed[13] = 0x78
        return [other, Array(answer.prefix(14)), renamed, [UInt8](repeating: 0xFF, count: 40)]
    }

    deinit { socket.shut() }
}
