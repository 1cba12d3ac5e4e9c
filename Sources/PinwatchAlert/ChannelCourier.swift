internal import PinwatchCore

/// One channel's part of the courier: composes what is due, sends it one message at a time, and records each try.
actor ChannelCourier {
    /// Items read at once.
    private static let itemLimit = 200
    /// Deliveries that a trial is chosen from.
    private static let trialLimit = 20
    /// The longest wait between two looks, so that a clock that was set does no lasting harm.
    private static let longestWait: Int64 = 60

    /// A try that was made and that the store does not know of yet.
    private struct Unrecorded {
        let attempt: Attempt
        let delivery: Int64
        let result: AttemptResult
    }

    nonisolated let name: String
    private let channel: Channel
    private let format: any ChannelFormat
    private let redaction: Redaction
    private let bell: Bell
    private let surroundings: Surroundings

    private var circuit = Circuit()
    private var lastError: String?
    private var gone = false
    private var unrecorded: Unrecorded?
    private var storeFailures = 0

    init(_ channel: Channel, bell: Bell, _ surroundings: Surroundings) throws(AlertError) {
        name = channel.name
        format = try channel.format()
        redaction = Redaction(url: channel.url)
        self.channel = channel
        self.bell = bell
        self.surroundings = surroundings
    }

    var health: ChannelHealth {
        ChannelHealth(
            failures: circuit.failures, lastError: lastError, pausedUntil: circuit.pausedUntil, gone: gone)
    }

    /// Looks, waits, and looks again until the bell is stopped or the task is cancelled.
    func run() async {
        while !bell.isStopped, !Task.isCancelled {
            let seconds = await lookOnce()
            await bell.wait { [pause = surroundings.pause] in await pause(seconds) }
        }
    }

    /// One look, store errors and all.
    ///
    /// - Returns: Seconds until the next is worth while, 1 to 60.
    func lookOnce() async -> Int64 {
        do {
            let next = try await look()
            if storeFailures > 0 { surroundings.log("channel \(name): the store answers again") }
            storeFailures = 0
            guard let next else { return Self.longestWait }
            return min(max(next.seconds(since: surroundings.clock()), 1), Self.longestWait)
        } catch {
            if Task.isCancelled { return 1 }
            if storeFailures == 0 {
                surroundings.log("channel \(name): the outbox cannot be read or written, trying again: \(error)")
            }
            storeFailures += 1
            return min(1 << min(Int64(storeFailures - 1), 6), Self.longestWait)
        }
    }

    /// Composes and sends all that is due.
    ///
    /// - Returns: When something becomes due; `nil` if nothing waits.
    /// - Throws: The store's errors. A try that could not be recorded is kept, and recorded before anything else is sent.
    private func look() async throws -> Instant? {
        try await settle()
        try await compose()
        while !bell.isStopped, !Task.isCancelled {
            guard let delivery = try await nextDelivery() else { break }
            // What somebody asks for is tried in a pause too: they have reason to believe that it will work.
            guard delivery.isAskedFor || !circuit.isOpen(at: surroundings.clock()) else { break }
            guard await attempt(delivery) else { break }
            try await settle()
        }
        let due = try await surroundings.store.nextDue(channels: [name])
        guard let due, circuit.isOpen(at: surroundings.clock()), let paused = circuit.pausedUntil else { return due }
        return max(due, paused)
    }

    /// What is tried next: what somebody asked for, else the one that has waited longest. After a pause, when all depends on it, one that was tried
    /// least often, so that a message which no receiver would take does not keep a channel closed to the others.
    private func nextDelivery() async throws -> Delivery? {
        let due = try await surroundings.store.dueDeliveries(
            channel: name, now: surroundings.clock(), limit: circuit.isOnTrial ? Self.trialLimit : 1)
        return due.first(where: \.isAskedFor) ?? due.min { $0.attempts.count < $1.attempts.count }
    }

    private func compose() async throws {
        while true {
            let now = surroundings.clock()
            let items = try await surroundings.store.dueItems(channels: [name], now: now, limit: Self.itemLimit)
            guard !items.isEmpty else { return }
            surroundings.checkpoint("courier.before_compose")
            let messages = AlertMessage.groups(items).compactMap { composed($0, now: now) }
            surroundings.checkpoint("courier.composed")
            try await surroundings.store.compose(messages)
            surroundings.checkpoint("courier.after_compose")
            if items.count < Self.itemLimit { return }
        }
    }

    private func composed(_ items: [OutboxItem], now: Instant) -> ComposedMessage? {
        let id = MessageID.make(from: surroundings.random(MessageID.byteCount))
        guard
            let message = AlertMessage(
                id: id, items: items, links: surroundings.links, unicode: surroundings.unicode)
        else { return nil }
        return ComposedMessage(
            messageID: id, type: message.type, channel: name, alertID: message.alertID, body: format.body(message),
            items: items.map(\.id), createdAt: now)
    }

    /// Tries once, and leaves what came of it in `unrecorded`.
    ///
    /// - Returns: False if the try was given up. Whether it arrived is not known then, so it counts as not made.
    private func attempt(_ delivery: Delivery) async -> Bool {
        let now = surroundings.clock()
        let request = HTTPRequest(
            url: channel.url, headers: format.headers(id: delivery.messageID, body: delivery.body, now: now),
            body: delivery.body, addresses: AddressRule(allowPrivate: channel.allowPrivate))
        surroundings.checkpoint("courier.before_send")
        let exchange = await surroundings.http(request)
        surroundings.checkpoint("courier.after_send")
        if exchange.outcome == .failure(.cancelled) { return false }
        let answer = exchange.answer
        let end = surroundings.clock()
        let retryAfter = answer?.retryAfter.flatMap { RetryAfter($0, now: end) }
        let result = RetryPolicy.result(
            status: answer?.status, retryAfter: retryAfter, tries: delivery.tries + 1,
            createdAt: delivery.triedSince, now: end, jitter: surroundings.jitter)
        let error = words(exchange.outcome)
        unrecorded = Unrecorded(
            attempt: Attempt(at: now, status: answer?.status, error: error, milliseconds: exchange.milliseconds),
            delivery: delivery.id, result: result)
        if result == .delivered {
            noteSuccess()
        } else {
            let opened = circuit.failed(
                delivery.id, isTurnedDown: answer.map { Circuit.turnsDown(status: $0.status) } ?? false, at: end,
                retryAfter: retryAfter)
            noteFailure(result, reason: error ?? "no reason given", opened: opened)
        }
        return true
    }

    /// Records the last try, if that is still owed.
    private func settle() async throws {
        guard let owed = unrecorded else { return }
        surroundings.checkpoint("courier.before_record")
        try await surroundings.store.record(
            owed.attempt, of: owed.delivery, result: owed.result, now: surroundings.clock())
        unrecorded = nil
        surroundings.checkpoint("courier.after_record")
    }

    private func noteSuccess() {
        if circuit.failures >= Circuit.threshold || gone { surroundings.log("channel \(name): delivers again") }
        circuit.succeeded()
        (lastError, gone) = (nil, false)
    }

    /// Tells the operator what has come to an end: the channel, a message, or for now the tries.
    private func noteFailure(_ result: AttemptResult, reason: String, opened: Bool) {
        lastError = reason
        switch result {
        case .channelGone:
            gone = true
            surroundings.log("channel \(name): disabled until its url changes: \(reason)")
        case .dead:
            surroundings.log("channel \(name): a message is given up after 3 days: \(reason)")
        case .delivered, .retry:
            guard opened || circuit.failures == Circuit.threshold else { return }
            let pausing = opened ? ", pausing" : ""
            surroundings.log("channel \(name): \(circuit.failures) tries in a row failed\(pausing): \(reason)")
        }
    }

    /// Why a try failed, for the attempt's record: one line, nothing secret, at most 200 characters of it from outside.
    private func words(_ outcome: Result<HTTPAnswer, AttemptFailure>) -> String? {
        switch outcome {
        case .failure(let failure): return redaction.clean(failure.words).visible(limit: 300)
        case .success(let answer):
            switch answer.status {
            case 200...299: return nil
            case 300...399: return "HTTP \(answer.status): redirects are not followed"
            case 410: return "HTTP 410: the receiver says that it is gone for good"
            default:
                let line = redaction.clean(answer.beginning).split(whereSeparator: \.isWhitespace).joined(
                    separator: " ")
                return "HTTP \(answer.status)" + (line.isEmpty ? "" : ": " + line.visible(limit: 200))
            }
        }
    }
}
