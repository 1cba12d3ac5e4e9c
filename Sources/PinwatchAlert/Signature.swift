internal import FoundationEssentials
package import PinwatchCore
internal import PinwatchTLS

/// A key that signs webhooks, as the Standard Webhooks specification lays down.
package struct SigningKey: Sendable {
    private let bytes: [UInt8]

    /// Reads `whsec_<base64>`; `nil` for anything else, an empty key included.
    package init?(_ secret: Secret) {
        let prefix = "whsec_"
        guard secret.revealed.hasPrefix(prefix),
            let data = Data(base64Encoded: String(secret.revealed.dropFirst(prefix.count))), !data.isEmpty
        else { return nil }
        bytes = [UInt8](data)
    }

    /// `v1,<base64>`: HMAC-SHA256 over the bytes of `id.timestamp.body`.
    ///
    /// - Parameter timestamp: Unix seconds of this try.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let message = Array("\(id).\(timestamp).".utf8) + body
        return "v1," + Data(Digests.hmacSHA256(key: bytes, message: message)).base64EncodedString()
    }
}
