internal import PinwatchCore

extension Surroundings {
    /// Items read at once.
    private static let itemLimit = 200

    /// Makes messages of all that is owed to a channel and due.
    ///
    /// - Throws: The store's errors.
    func compose(for assignment: Assignment) async throws {
        while true {
            let now = clock()
            let items = try await store.dueItems(
                channels: [assignment.channel.name], now: now, limit: Self.itemLimit)
            guard !items.isEmpty else { return }
            checkpoint("courier.before_compose")
            let messages = AlertMessage.groups(items).compactMap { composed($0, assignment, now: now) }
            checkpoint("courier.composed")
            try await store.compose(messages)
            checkpoint("courier.after_compose")
            if items.count < Self.itemLimit { return }
        }
    }

    private func composed(_ items: [OutboxItem], _ assignment: Assignment, now: Instant) -> ComposedMessage? {
        let id = MessageID.make(from: random(MessageID.byteCount))
        guard let message = AlertMessage(id: id, items: items, links: links, unicode: unicode) else { return nil }
        return ComposedMessage(
            messageID: id, type: message.type, channel: assignment.channel.name, alertID: message.alertID,
            body: assignment.format.body(message), items: items.map(\.id), createdAt: now)
    }
}
