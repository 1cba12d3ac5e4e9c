package import PinwatchCore

/// Standard Webhooks: the contract's JSON envelope, signed with each of the channel's secrets.
package struct Webhook: ChannelFormat {
    private let keys: [SigningKey]

    /// - Throws: An ``AlertError`` if there is no secret or one cannot be read.
    package init(_ channel: Channel) throws(AlertError) {
        guard !channel.secrets.isEmpty else { throw .secretMissing(channel: channel.name) }
        var keys: [SigningKey] = []
        for secret in channel.secrets {
            guard let key = SigningKey(secret) else { throw .secretMalformed(channel: channel.name) }
            keys.append(key)
        }
        self.keys = keys
    }

    package func body(_ message: AlertMessage) -> [UInt8] { message.json.bytes }

    package func headers(id: String, body: [UInt8], now: Instant) -> [HTTPHeader] {
        let timestamp = now.unixSeconds
        let signatures = keys.map { $0.signature(id: id, timestamp: timestamp, body: body) }
        return [
            HTTPHeader("content-type", "application/json"), HTTPHeader("webhook-id", id),
            HTTPHeader("webhook-timestamp", String(timestamp)),
            // During rotation the receiver may hold either secret, so both signatures are given.
            HTTPHeader("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
