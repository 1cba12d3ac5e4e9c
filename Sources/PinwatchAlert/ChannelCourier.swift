internal import PinwatchCore
internal import Synchronization

/// One channel's part of the courier: composes what is due, sends it one message at a time, and records each try.
///
/// The channel may become another one meanwhile, or go. A try under way then still ends and is recorded; what follows is
/// the new channel's, which begins with a closed circuit.
actor ChannelCourier {
    /// Deliveries that a trial is chosen from, the longest waiting ones: more than fail in any pause.
    private static let trialLimit = 500
    /// The longest wait between two looks, so that a clock that was set does no lasting harm.
    private static let longestWait: Int64 = 60

    /// A try that was made and that the store does not know of yet.
    private struct Unrecorded {
        let attempt: Attempt
        let delivery: Int64
        let result: AttemptResult
    }

    nonisolated let name: String
    nonisolated let bell = Bell()
    private nonisolated let wanted: Mutex<Assignment?>
    private let surroundings: Surroundings

    /// What `wanted` was when the circuit began.
    private var current: Assignment
    private var circuit = Circuit()
    private var lastError: String?
    private var gone = false
    private var unrecorded: Unrecorded?
    private var storeFailures = 0

    init(_ assignment: Assignment, _ surroundings: Surroundings) {
        name = assignment.channel.name
        wanted = Mutex(assignment)
        current = assignment
        self.surroundings = surroundings
    }

    /// What it works for; `nil` where there is no channel any more.
    nonisolated var assignment: Assignment? { wanted.withLock { $0 } }
    nonisolated var isWanted: Bool { assignment != nil }

    /// Works for this channel from the next try on, which must have the same name; for none with `nil`.
    nonisolated func use(_ assignment: Assignment?) {
        wanted.withLock { $0 = assignment }
        bell.ring()
    }

    var health: ChannelHealth {
        ChannelHealth(
            failures: circuit.failures, lastError: lastError, pausedUntil: circuit.pausedUntil,
            paused: circuit.isOpen(at: surroundings.clock()), gone: gone)
    }

    /// Looks, waits, and looks again until the bell is stopped, the task is cancelled, or there is no channel and no try
    /// to record.
    func run() async {
        while !bell.isStopped, !Task.isCancelled {
            let seconds = await lookOnce()
            if !isWanted, unrecorded == nil { return }
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
        guard takeOver() else { return nil }
        try await surroundings.compose(for: current)
        while !bell.isStopped, !Task.isCancelled, takeOver() {
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

    /// Begins anew where the channel is another one than before.
    ///
    /// - Returns: False if there is no channel any more.
    private func takeOver() -> Bool {
        guard let assignment else { return false }
        if assignment.channel != current.channel {
            (current, circuit) = (assignment, Circuit())
            (lastError, gone) = (nil, false)
        }
        return true
    }

    /// What is tried next: what somebody asked for, else the one that has waited longest. After a pause, when all
    /// depends on it, one that was tried least often, so that a message which no receiver would take does not keep a
    /// channel closed to the others.
    private func nextDelivery() async throws -> Delivery? {
        let due = try await surroundings.store.dueDeliveries(
            channel: name, now: surroundings.clock(), limit: circuit.isOnTrial ? Self.trialLimit : 1)
        return due.first(where: \.isAskedFor) ?? due.min { $0.attempts.count < $1.attempts.count }
    }

    /// Tries once, and leaves what came of it in `unrecorded`.
    ///
    /// - Returns: False if the try was given up. Whether it arrived is not known then, so it counts as not made.
    private func attempt(_ delivery: Delivery) async -> Bool {
        let (assignment, start) = (current, surroundings.clock())
        let isInPause = circuit.isOpen(at: start)
        surroundings.checkpoint("courier.before_send")
        let exchange = await surroundings.http(
            assignment.request(id: delivery.messageID, body: delivery.body, now: start))
        surroundings.checkpoint("courier.after_send")
        if exchange.outcome == .failure(.cancelled) { return false }
        let (attempt, end) = (assignment.attempt(at: start, exchange), surroundings.clock())
        let retryAfter = exchange.answer?.retryAfter.flatMap { RetryAfter($0, now: end) }
        var result = RetryPolicy.result(
            status: attempt.status, retryAfter: retryAfter, tries: delivery.tries + 1,
            createdAt: delivery.triedSince, now: end, jitter: surroundings.jitter)
        if self.assignment?.channel == assignment.channel {
            note(attempt, result, of: delivery, isInPause: isInPause, at: end, retryAfter: retryAfter)
        } else {
            // The receiver that failed is not the channel's any more, and what it wished for does not matter.
            switch result {
            case .retry, .channelGone: result = .retry(at: end)
            case .delivered, .dead: break
            }
        }
        unrecorded = Unrecorded(attempt: attempt, delivery: delivery.id, result: result)
        return true
    }

    /// Learns from a try whether the receiver is worth the next one.
    private func note(
        _ attempt: Attempt, _ result: AttemptResult, of delivery: Delivery, isInPause: Bool, at end: Instant,
        retryAfter: RetryAfter?
    ) {
        guard result != .delivered else { return noteSuccess() }
        var opened = false
        if isInPause {
            circuit.failedInPause()
        } else {
            opened = circuit.failed(
                delivery.id, isTurnedDown: attempt.status.map(Circuit.turnsDown) ?? false, at: end,
                retryAfter: retryAfter)
        }
        noteFailure(result, reason: attempt.error ?? "no reason given", opened: opened)
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
}
