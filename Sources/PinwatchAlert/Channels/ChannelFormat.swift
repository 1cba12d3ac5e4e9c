package import PinwatchCore

/// How one kind of channel is spoken to.
package protocol ChannelFormat: Sendable {
    /// The bytes to send: made once per message, then stored, and the same on every try.
    func body(_ message: AlertMessage) -> [UInt8]

    /// The bytes of a test, which is not stored.
    func body(_ test: TestMessage) -> [UInt8]

    /// The headers of one try.
    ///
    /// - Parameter now: The time of the try, not of the message.
    func headers(id: String, body: [UInt8], now: Instant) -> [HTTPHeader]
}

extension Channel {
    /// The format of the channel's kind.
    ///
    /// - Throws: An ``AlertError`` if the kind signs and there is no usable secret.
    package func format() throws(AlertError) -> any ChannelFormat {
        switch kind {
        case .webhook: try Webhook(self)
        case .slack: Slack()
        }
    }
}
