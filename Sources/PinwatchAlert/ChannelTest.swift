package import PinwatchCore

/// Tries a channel with a `channel.test` message, apart from the outbox: what comes of it is told and not recorded, and
/// nothing that is owed waits for it.
package struct ChannelTest: Sendable {
    private let links: MessageLinks
    private let clock: @Sendable () -> Instant
    private let random: @Sendable (Int) -> [UInt8]
    private let http: HTTPSend

    /// - Parameters:
    ///   - links: Base of the link in the message.
    ///   - clock: The time of the try.
    ///   - random: So many bytes of a secure source, for the message's id.
    ///   - http: Tries a request once: ``CurlClient/send(_:)``.
    package init(
        links: MessageLinks, clock: @escaping @Sendable () -> Instant,
        random: @escaping @Sendable (_ count: Int) -> [UInt8], http: @escaping HTTPSend
    ) {
        self.links = links
        self.clock = clock
        self.random = random
        self.http = http
    }

    /// Tries once, as a delivery is tried: signed, within ten seconds, to addresses that the channel may reach.
    ///
    /// - Throws: ``AlertError`` for a channel whose secret is missing or cannot be read.
    package func attempt(_ channel: Channel) async throws(AlertError) -> Attempt {
        await attempt(try Assignment(channel))
    }

    func attempt(_ assignment: Assignment) async -> Attempt {
        let now = clock()
        let message = TestMessage(
            id: MessageID.make(from: random(MessageID.byteCount)), channel: assignment.channel.name, at: now,
            links: links)
        let exchange = await http(
            assignment.request(id: message.id, body: assignment.format.body(message), now: now))
        return assignment.attempt(at: now, exchange)
    }
}

extension Attempt {
    /// Whether the receiver took the message.
    package var isDelivered: Bool { status.map { (200...299).contains($0) } ?? false }
}
