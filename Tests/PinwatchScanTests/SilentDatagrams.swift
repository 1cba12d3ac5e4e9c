import Glibc
import TestSupport

/// A UDP socket on 127.0.0.1 that takes questions and answers none.
final class SilentDatagrams: Sendable {
    var port: UInt16 { socket.port }
    private let socket: LoopbackSocket

    init() throws {
        socket = try LoopbackSocket(.datagram)
    }

    /// Returns when a question has arrived.
    func waitForQuestion() async {
        var byte: UInt8 = 0
        while unsafe recv(socket.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 { await Task.yield() }
    }
}
