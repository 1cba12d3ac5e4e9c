package import PinwatchCore
internal import Synchronization

/// Brings what the outbox owes to the channels: at least once, the same id and bytes on every try.
///
/// Each channel has a task of its own, so that none waits for another. All state that must outlive a crash is the
/// store's; a courier killed at any point is made up for by the next one's first look.
///
/// Which channels there are may change while it runs; see ``use(channels:)``.
package final class Courier: Sendable {
    private struct Roster {
        /// By their channels' names; those whose channel went until their last try is recorded.
        var couriers: [String: ChannelCourier] = [:]
        /// Those of them that nobody runs yet.
        var waiting: [ChannelCourier] = []
        var isStopped = false
    }

    private let roster = Mutex(Roster())
    /// Rung when somebody waits to be run.
    private let turn = Bell()
    private let surroundings: Surroundings

    /// - Parameters:
    ///   - links: Base of the links in messages.
    ///   - clock: The time of tries, and what due times are compared with.
    ///   - pause: Waits so many seconds, or less; must return when its task is cancelled.
    ///   - random: So many bytes of a secure source, for message ids and jitter.
    ///   - unicode: A host name as people write it; see ``IDNA``.
    ///   - http: Tries a request once: ``CurlClient/send(_:)``.
    ///   - checkpoint: Called between any two steps, with a name; for tests that end the process there.
    ///   - log: One line for the operator. Holds no URL path and no secret.
    /// - Throws: ``AlertError`` for a channel whose secret is missing or cannot be read.
    package init(
        store: any OutboxStore, channels: [Channel], links: MessageLinks, clock: @escaping @Sendable () -> Instant,
        pause: @escaping @Sendable (_ seconds: Int64) async -> Void,
        random: @escaping @Sendable (_ count: Int) -> [UInt8],
        unicode: @escaping @Sendable (HostName) -> String = { $0.ascii }, http: @escaping HTTPSend,
        checkpoint: @escaping @Sendable (StaticString) -> Void = { _ in },
        log: @escaping @Sendable (String) -> Void
    ) throws(AlertError) {
        surroundings = Surroundings(
            store: store, links: links, clock: clock, pause: pause, random: random, unicode: unicode, http: http,
            checkpoint: checkpoint, log: log)
        try use(channels: channels)
    }

    /// From now on there are these channels. One that is new is looked after at once; one that changed is tried as it
    /// is now, with nothing held against it; one that is gone is left alone. A try under way still ends as it was begun,
    /// and is recorded before anything else is sent to a channel of that name.
    ///
    /// - Throws: ``AlertError`` for a channel whose secret is missing or cannot be read; then nothing changes.
    package func use(channels: [Channel]) throws(AlertError) {
        var wanted: [String: Assignment] = [:]
        for channel in channels { wanted[channel.name] = try Assignment(channel) }
        roster.withLock { roster in
            guard !roster.isStopped else { return }
            for (name, courier) in roster.couriers { courier.use(wanted.removeValue(forKey: name)) }
            for (name, assignment) in wanted {
                let courier = ChannelCourier(assignment, surroundings)
                roster.couriers[name] = courier
                roster.waiting.append(courier)
            }
        }
        turn.ring()
    }

    /// Works until ``stop()``, or until the task is cancelled. After `stop()` tries in flight still end and are
    /// recorded; cancelling gives them up, unrecorded, and the next start sends them again under the same id.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !turn.isStopped, !Task.isCancelled {
                let waiting = roster.withLock { roster in
                    defer { roster.waiting = [] }
                    return roster.waiting
                }
                for courier in waiting { group.addTask { await self.run(courier) } }
                await turn.wait { [pause = surroundings.pause] in await pause(3_600) }
            }
        }
    }

    private func run(_ courier: ChannelCourier) async {
        repeat { await courier.run() } while !isDone(courier)
    }

    /// Whether a courier that has ended may go. Its channel may have come back in between.
    private func isDone(_ courier: ChannelCourier) -> Bool {
        roster.withLock { roster in
            if roster.isStopped || Task.isCancelled { return true }
            if courier.isWanted { return false }
            roster.couriers[courier.name] = nil
            return true
        }
    }

    /// Sends one `channel.test`, apart from the outbox; see ``ChannelTest``.
    ///
    /// - Returns: What came of it; `nil` if there is no such channel.
    package func test(channel name: String) async -> Attempt? {
        guard let assignment = roster.withLock({ $0.couriers[name] })?.assignment else { return nil }
        let test = ChannelTest(
            links: surroundings.links, clock: surroundings.clock, random: surroundings.random,
            http: surroundings.http)
        return await test.attempt(assignment)
    }

    /// To be called after every transaction that may have written to the outbox. Cheap, from any thread; calls between
    /// two looks count as one.
    package func wake() {
        for courier in roster.withLock({ Array($0.couriers.values) }) { courier.bell.ring() }
    }

    /// Makes ``run()`` return once the tries in flight have ended and are recorded: within an attempt's ten seconds.
    package func stop() {
        let couriers = roster.withLock { roster in
            roster.isStopped = true
            return Array(roster.couriers.values)
        }
        for courier in couriers { courier.bell.stop() }
        turn.stop()
    }

    /// How each channel fares, by its name: for the metrics `pinwatch_channel_…` and the API's channels.
    package func health() async -> [String: ChannelHealth] {
        var all: [String: ChannelHealth] = [:]
        for courier in roster.withLock({ Array($0.couriers.values) }) where courier.isWanted {
            all[courier.name] = await courier.health
        }
        return all
    }
}

/// How a channel fares, as far as this process has seen.
package struct ChannelHealth: Sendable, Hashable {
    /// Failed tries since the last success.
    package let failures: Int
    /// Why the last of them failed; `nil` after a success.
    package let lastError: String?
    /// The receiver is left alone until then. May lie in the past: what is tried next then decides.
    package let pausedUntil: Instant?
    /// Whether it is left alone now.
    package let paused: Bool
    /// The receiver answered 410 Gone and was not tried since.
    package let gone: Bool
}

/// What a courier is given, shared by its channels; its `init` says what each is for.
struct Surroundings: Sendable {
    let store: any OutboxStore
    let links: MessageLinks
    let clock: @Sendable () -> Instant
    let pause: @Sendable (Int64) async -> Void
    let random: @Sendable (Int) -> [UInt8]
    let unicode: @Sendable (HostName) -> String
    let http: HTTPSend
    let checkpoint: @Sendable (StaticString) -> Void
    let log: @Sendable (String) -> Void

    /// 0 ..< 1, evenly spread.
    var jitter: Double {
        random(4).reduce(0) { ($0 + Double($1)) / 256 }
    }
}
