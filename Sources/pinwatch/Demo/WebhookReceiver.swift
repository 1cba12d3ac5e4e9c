internal import FoundationEssentials
internal import Glibc
internal import PinwatchTLS

/// A webhook's receiver as a user would write one: it verifies Standard Webhooks signatures and hands on what is good.
final class WebhookReceiver: Sendable {
    private let listener: LoopbackListener

    /// - Parameters:
    ///   - key: The bytes of the `whsec_` secret.
    ///   - heard: Is told each message's body, and whether its signature holds.
    init(key: [UInt8], heard: @escaping @Sendable (_ body: [UInt8], _ verified: Bool) -> Void)
        throws(DemonstrationError)
    {
        listener = try LoopbackListener { client in
            guard let request = HTTPMessage.read(from: client) else { return }
            let verified = WebhookReceiver.verifies(request, key: key)
            HTTPMessage.answer(client, status: verified ? "204 No Content" : "401 Unauthorized")
            heard(request.body, verified)
        }
    }

    var port: UInt16 { listener.port }

    func stop() { listener.stop() }

    private static func verifies(_ request: HTTPMessage, key: [UInt8]) -> Bool {
        guard let id = request.headers["webhook-id"], let timestamp = request.headers["webhook-timestamp"],
            let signatures = request.headers["webhook-signature"]
        else { return false }
        let signed = Array("\(id).\(timestamp).".utf8) + request.body
        let expected = "v1," + Data(Digests.hmacSHA256(key: key, message: signed)).base64EncodedString()
        return signatures.split(separator: " ").contains { $0 == expected }
    }
}

/// A request with a body of known length, which is all that a webhook sends.
private struct HTTPMessage {
    /// By lower-case name.
    var headers: [String: String]
    var body: [UInt8]

    /// `nil` for a client that sends anything else, more than 1 MiB, or too slowly.
    static func read(from client: Int32) -> HTTPMessage? {
        var bytes: [UInt8] = []
        var end: Int?
        while end == nil, bytes.count < 65_536, let more = receive(from: client) {
            bytes += more
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
        }
        guard let end else { return nil }
        var headers: [String: String] = [:]
        for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        guard let length = headers["content-length"].flatMap({ Int($0) }), (0...1_048_576).contains(length) else {
            return nil
        }
        var body = Array(bytes[end...])
        while body.count < length, let more = receive(from: client) { body += more }
        return body.count == length ? HTTPMessage(headers: headers, body: body) : nil
    }

    static func answer(_ client: Int32, status: String) {
        let text = Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = unsafe text.withUnsafeBytes { unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private static func receive(from client: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(client, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}
