internal import PinwatchCore
internal import Synchronization

/// Where targets come in, loops fetch addresses and bring results, and finished scans wait to be taken.
///
/// One lock over plain values; it is held for moves within them only. Wake-ups, lookups and resumptions happen after it
/// is given back.
final class ScanQueue: Sendable {
    private let state: Mutex<QueueState>
    private let pollers: [Poller]
    private let resolver: any NameResolver
    private let wallClock: @Sendable () -> Instant

    /// - Parameter pollers: One for each loop, the last that of the loop of long messages.
    init(
        settings: ScannerSettings, pollers: [Poller], resolver: any NameResolver,
        wallClock: @escaping @Sendable () -> Instant
    ) {
        state = Mutex(QueueState(settings: settings, loops: pollers.count - 1))
        self.pollers = pollers
        self.resolver = resolver
        self.wallClock = wallClock
    }

    func submit(_ scan: DueScan, at due: Instant) -> Bool {
        let now = wallClock()
        let (taken, effects) = state.withLock { state in
            let taken = state.submit(scan, at: due)
            return (taken, state.advance(now: now))
        }
        perform(effects)
        return taken
    }

    var load: ScannerLoad {
        let now = wallClock()
        return state.withLock { $0.load(now: now) }
    }

    func use(_ settings: ScannerSettings, _ credentials: ClientCredentials) {
        state.withLock { $0.use(settings, credentials) }
    }

    func release(_ scans: Int) {
        let now = wallClock()
        perform(
            state.withLock { state in
                state.release(scans)
                return state.advance(now: now)
            })
    }

    /// A loop hands over what it finished and what is for the loop of long messages, and fetches what is next for it.
    func exchange(loop: Int, finished: [AddressResult], handedOn: [AddressJob]) -> LoopOrders {
        let (now, time) = (wallClock(), MonotonicTime.now())
        let (orders, effects) = state.withLock { state in
            state.finish(finished, loop: loop, now: now)
            state.handOn(handedOn, from: loop)
            let effects = state.advance(now: now, caller: loop)
            return (state.orders(loop: loop, time: time), effects)
        }
        perform(effects)
        return orders
    }

    func loopEnded() {
        perform(state.withLock { $0.loopEnded() })
    }

    /// What has finished since the last call; waits if that is nothing. Empty after the end, or when cancelled.
    func next() async -> [Scan] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform(state.withLock { $0.wait(continuation, isCancelled: Task.isCancelled) })
            }
        } onCancel: {
            perform(state.withLock { $0.cancelWait() })
        }
    }

    /// Takes nothing more in and returns when all loops have left: when every open scan is done, or at the limit.
    func stop(limitMilliseconds: Int64) async {
        let limit = MonotonicTime.now().adding(milliseconds: limitMilliseconds)
        await withCheckedContinuation { continuation in
            perform(state.withLock { $0.stop(by: limit, continuation) })
        }
    }

    private func resolved(_ lookup: QueueEffects.Lookup, _ result: Result<[IPAddress], ResolveFailure>) {
        let now = wallClock()
        perform(
            state.withLock { state in
                if lookup.isOfProxy {
                    state.proxyResolved(lookup.scan, result, now: now)
                } else {
                    state.resolved(lookup.scan, result, now: now)
                }
                return state.advance(now: now)
            })
    }

    private func perform(_ effects: QueueEffects) {
        for loop in effects.wakes { pollers[loop].wake() }
        for lookup in effects.lookups {
            resolver.resolve(lookup.name, timeoutMilliseconds: lookup.timeoutMilliseconds) { result in
                self.resolved(lookup, result)
            }
        }
        effects.consumer?.resume(returning: effects.scans)
        for continuation in effects.stopped { continuation.resume() }
    }
}
