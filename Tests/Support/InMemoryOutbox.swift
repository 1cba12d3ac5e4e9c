package import PinwatchCore

/// An outbox as the contract of ``OutboxStore`` describes it, that can be told to fail.
package actor InMemoryOutbox: OutboxStore {
    package enum Method: Sendable, Hashable {
        case dueItems, compose, dueDeliveries, record, nextDue
    }

    package struct Refused: Error {
        package let method: Method
    }

    private var items: [OutboxItem] = []
    private var stored: [Delivery] = []
    private var disabled: Set<String> = []
    private var failing: Set<Method> = []
    private var lastID: Int64 = 0

    package init() {}

    package func add(_ new: [OutboxItem]) {
        for var item in new {
            lastID += 1
            item.id = lastID
            items.append(item)
        }
    }

    /// From now on these methods throw, and change nothing.
    package func fail(_ methods: Set<Method>) { failing = methods }

    package var deliveries: [Delivery] { stored }
    package var waiting: [OutboxItem] { items }
    package var disabledChannels: Set<String> { disabled }

    package func dueItems(channels: [String], now: Instant, limit: Int) throws -> [OutboxItem] {
        try check(.dueItems)
        var held: Set<AlertID> = []
        var due: [OutboxItem] = []
        for item in items where channels.contains(item.channel) && !disabled.contains(item.channel) {
            let alert: AlertID? =
                switch item.subject {
                case .alert(_, let alert, _): alert.id
                case .event: nil
                }
            if item.holdUntil > now || alert.map({ held.contains($0) }) ?? false {
                if let alert { held.insert(alert) }
            } else {
                due.append(item)
            }
        }
        return Array(due.prefix(limit))
    }

    package func compose(_ messages: [ComposedMessage]) throws {
        try check(.compose)
        for message in messages {
            let told = Set(message.items)
            guard told.isSubset(of: items.map(\.id)) else { continue }
            items.removeAll { told.contains($0.id) }
            lastID += 1
            stored.append(
                Delivery(
                    id: lastID, messageID: message.messageID, type: message.type, channel: message.channel,
                    alertID: message.alertID, body: message.body, state: .pending, attempts: [],
                    nextAttemptAt: message.createdAt, createdAt: message.createdAt))
        }
    }

    package func dueDeliveries(channel: String, now: Instant, limit: Int) throws -> [Delivery] {
        try check(.dueDeliveries)
        return Array(
            stored.filter { $0.channel == channel && $0.state == .pending && ($0.nextAttemptAt ?? now) <= now }
                .prefix(limit))
    }

    package func record(_ attempt: Attempt, of delivery: Int64, result: AttemptResult, now: Instant) throws {
        try check(.record)
        guard let index = stored.firstIndex(where: { $0.id == delivery }) else { return }
        stored[index].attempts = (stored[index].attempts + [attempt]).suffix(50)
        stored[index].nextAttemptAt = nil
        switch result {
        case .delivered: stored[index].state = .delivered
        case .dead: stored[index].state = .dead
        case .retry(let at): stored[index].nextAttemptAt = at
        case .channelGone:
            let channel = stored[index].channel
            disabled.insert(channel)
            for other in stored.indices where stored[other].channel == channel && stored[other].state == .pending {
                (stored[other].state, stored[other].nextAttemptAt) = (.dead, nil)
            }
        }
    }

    package func nextDue(channels: [String]) throws -> Instant? {
        try check(.nextDue)
        let holds = items.filter { channels.contains($0.channel) && !disabled.contains($0.channel) }.map(\.holdUntil)
        let tries = stored.filter { channels.contains($0.channel) && $0.state == .pending }.compactMap(\.nextAttemptAt)
        return (holds + tries).min()
    }

    private func check(_ method: Method) throws {
        if failing.contains(method) { throw Refused(method: method) }
    }
}
