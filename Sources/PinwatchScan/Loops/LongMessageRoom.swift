/// Memory for the handshakes whose servers send long messages, all of which are of one loop.
///
/// OpenSSL keeps a message until it is whole and then parses every certificate in it, out of anyone's reach; some versions
/// take the whole length that a header tells at once. Counting what was read would bound neither, so a visit takes room for
/// the worst, before the hello that is so answered is sent once more.
struct LongMessageRoom {
    /// What one visit can make this process hold, measured with ``HandshakeContext/certificateMessageLimit``: 6 MiB of
    /// buffer, 41 MiB of parsed certificates where they are many small ones or have subjects of many parts, 4 MiB of chain
    /// as sent, and 8 MiB of other chains that earlier hellos got. Certificates of many names take a third of it.
    static let bytesPerVisit = 64 << 20

    private var free: Int

    /// - Parameter bytes: For all together; room for one visit there always is.
    init(bytes: Int) {
        free = max(1, bytes / Self.bytesPerVisit)
    }

    /// Whether there was room, which is then to be given back.
    mutating func take() -> Bool {
        guard free > 0 else { return false }
        free -= 1
        return true
    }

    mutating func giveBack() {
        free += 1
    }
}
