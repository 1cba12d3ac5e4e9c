internal import Synchronization

/// Memory for the handshakes of all loops whose servers send long messages.
///
/// OpenSSL keeps a message until it is whole and then parses every certificate in it, out of anyone's reach; some versions
/// take the whole length that a header tells at once. Counting what was read would bound neither, so a visit takes room for
/// the worst, before the hello that is so answered is sent once more.
final class LongMessageRoom: Sendable {
    /// What one visit can make this process hold, measured with ``HandshakeContext/certificateMessageLimit``: 6 MiB of
    /// buffer, 41 MiB of parsed certificates where they are many small ones or have subjects of many parts, 4 MiB of chain
    /// as sent, and 8 MiB of other chains that earlier hellos got. Certificates of many names take a third of it.
    static let bytesPerVisit = 64 << 20

    private let free: Mutex<Int>

    /// - Parameter bytes: For all together; room for one visit there always is.
    init(bytes: Int) {
        free = Mutex(max(1, bytes / Self.bytesPerVisit))
    }

    /// Whether there was room, which is then to be given back.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func giveBack() {
        free.withLock { $0 += 1 }
    }
}
