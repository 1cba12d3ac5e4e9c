/// MySQL's and MariaDB's SSLRequest (MySQL internals, "Protocol::HandshakeV10" and "Protocol::SSLRequest"): the server
/// greets with what it is capable of, and the client says TLS by its own capabilities, which nobody answers in clear.
struct MySQLDialogue: Dialogue {
    private static let capabilitySSL: UInt16 = 0x0800

    let opening: [UInt8] = []

    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep {
        let start = input.startIndex
        guard input.count >= 4 else { return .read }
        let length = Int(input[start]) | Int(input[start + 1]) << 8 | Int(input[start + 2]) << 16
        guard length > 0, length < BoundedDialogue.limit else {
            return .refused("The server's greeting is none of MySQL's: \(Said.shown(input)).")
        }
        guard input.count >= 4 + length else { return .read }
        let packet = input.dropFirst(4).prefix(length)
        input = input.dropFirst(4 + length)
        if packet.first == 0xFF {
            return .refused("The MySQL server refused the connection: \(Said.shown(packet.dropFirst(3))).")
        }
        guard packet.first == 10, let capabilities = Self.capabilities(packet) else {
            return .refused("The server's greeting is none of MySQL's protocol 10: \(Said.shown(packet)).")
        }
        guard capabilities & Self.capabilitySSL != 0 else {
            return .refused("The MySQL server does not offer TLS (its capabilities lack CLIENT_SSL).")
        }
        return .switchToTLS(after: Self.request)
    }

    /// The lower 16 bits, behind the version's text, the thread's number, 8 bytes of a challenge and a filler.
    private static func capabilities(_ packet: ArraySlice<UInt8>) -> UInt16? {
        guard let end = packet.dropFirst().firstIndex(of: 0) else { return nil }
        let rest = packet[(end + 1)...].dropFirst(4 + 8 + 1)
        guard rest.count >= 2 else { return nil }
        return UInt16(rest[rest.startIndex]) | UInt16(rest[rest.startIndex + 1]) << 8
    }

    /// CLIENT_PROTOCOL_41, CLIENT_SSL and CLIENT_SECURE_CONNECTION; packets of 16 MiB; the character set utf8mb4.
    private static let request: [UInt8] =
        [32, 0, 0, 1, 0x00, 0x8A, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 45] + Array(repeating: 0, count: 23)
}
