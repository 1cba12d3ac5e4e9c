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
    /// The alerts that each delivery tells, by its number.
    private var alerts: [Int64: Set<AlertID>] = [:]
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

    /// Somebody wants a delivery tried now, with fresh tries.
    package func ask(for delivery: Int64, at now: Instant) {
        guard let index = stored.firstIndex(where: { $0.id == delivery }) else { return }
        (stored[index].state, stored[index].nextAttemptAt) = (.pending, now)
        (stored[index].retriedAt, stored[index].isAskedFor) = (now, true)
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
            let alert = item.alertID
            // What was held by a clock that was set back since is held no longer.
            if item.holdUntil > now && item.at <= now || alert.map({ held.contains($0) }) ?? false {
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
            lastID += 1
            alerts[lastID] = Set(items.filter { told.contains($0.id) }.compactMap(\.alertID))
            items.removeAll { told.contains($0.id) }
            stored.append(
                Delivery(
                    id: lastID, messageID: message.messageID, type: message.type, channel: message.channel,
                    alertID: message.alertID, body: message.body, state: .pending, attempts: [],
                    nextAttemptAt: message.createdAt, createdAt: message.createdAt))
        }
    }

    package func dueDeliveries(channel: String, now: Instant, limit: Int) throws -> [Delivery] {
        try check(.dueDeliveries)
        let asked = stored.filter { $0.channel == channel && $0.isAskedFor && isNext($0) }
        if !asked.isEmpty { return Array(asked.prefix(limit)) }
        let due = stored.filter { delivery in
            guard delivery.channel == channel, isNext(delivery), let next = delivery.nextAttemptAt else { return false }
            // What was put off by a clock that was set back since is put off no longer.
            return next <= now || delivery.attempts.last?.at ?? delivery.createdAt > now
        }
        return Array(due.sorted { ($0.nextAttemptAt ?? now, $0.id) < ($1.nextAttemptAt ?? now, $1.id) }.prefix(limit))
    }

    /// Whether it is pending and no older pending one of its channel tells an alert that it tells.
    private func isNext(_ delivery: Delivery) -> Bool {
        let told = alerts[delivery.id, default: []]
        return delivery.state == .pending
            && !stored.contains { older in
                older.id < delivery.id && older.channel == delivery.channel && older.state == .pending
                    && !alerts[older.id, default: []].isDisjoint(with: told)
            }
    }

    package func record(_ attempt: Attempt, of delivery: Int64, result: AttemptResult, now: Instant) throws {
        try check(.record)
        guard let index = stored.firstIndex(where: { $0.id == delivery }) else { return }
        stored[index].attempts = (stored[index].attempts + [attempt]).suffix(50)
        stored[index].nextAttemptAt = nil
        stored[index].isAskedFor = false
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
        let tries = stored.filter { channels.contains($0.channel) && isNext($0) }.compactMap(\.nextAttemptAt)
        return (holds + tries).min()
    }

    private func check(_ method: Method) throws {
        if failing.contains(method) { throw Refused(method: method) }
    }
}

extension OutboxItem {
    fileprivate var alertID: AlertID? {
        switch subject {
        case .alert(_, let alert, _): alert.id
        case .event: nil
        }
    }
}
