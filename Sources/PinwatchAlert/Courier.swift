package import PinwatchCore

/// Brings what the outbox owes to the channels: at least once, the same id and bytes on every try.
///
/// Each channel has a task of its own, so that none waits for another. All state that must outlive a crash is the
/// store's; a courier killed at any point is made up for by the next one's first look.
package final class Courier: Sendable {
    private let channels: [ChannelCourier]
    private let bells: [Bell]
    private let end = Bell()
    private let pause: @Sendable (Int64) async -> Void

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
        let surroundings = Surroundings(
            store: store, links: links, clock: clock, pause: pause, random: random, unicode: unicode, http: http,
            checkpoint: checkpoint, log: log)
        var couriers: [ChannelCourier] = []
        var bells: [Bell] = []
        for channel in channels {
            let bell = Bell()
            couriers.append(try ChannelCourier(channel, bell: bell, surroundings))
            bells.append(bell)
        }
        self.channels = couriers
        self.bells = bells
        self.pause = pause
    }

    /// Works until ``stop()``, or until the task is cancelled. After `stop()` tries in flight still end and are
    /// recorded; cancelling gives them up, unrecorded, and the next start sends them again under the same id.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for channel in channels { group.addTask { await channel.run() } }
            while !end.isStopped, !Task.isCancelled {
                await end.wait { [pause] in await pause(3_600) }
            }
            await group.waitForAll()
        }
    }

    /// To be called after every transaction that may have written to the outbox. Cheap, from any thread; calls between
    /// two looks count as one.
    package func wake() {
        for bell in bells { bell.ring() }
    }

    /// Makes ``run()`` return once the tries in flight have ended and are recorded: within an attempt's ten seconds.
    package func stop() {
        for bell in bells { bell.stop() }
        end.stop()
    }

    /// How each channel fares, by its name.
    package func health() async -> [String: ChannelHealth] {
        var all: [String: ChannelHealth] = [:]
        for channel in channels { all[channel.name] = await channel.health }
        return all
    }
}

/// How a channel fares, as far as this process has seen.
package struct ChannelHealth: Sendable, Hashable {
    /// Failed tries since the last success.
    package let failures: Int
    /// Why the last of them failed; `nil` after a success.
    package let lastError: String?
    /// The receiver is left alone until then.
    package let pausedUntil: Instant?
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
