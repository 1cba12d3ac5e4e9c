internal import Synchronization

/// Wakes the one task that waits on it. Ringing while nobody waits is remembered, once.
final class Bell: Sendable {
    private struct State {
        var rung = false
        var stopped = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isStopped: Bool { state.withLock(\.stopped) }

    func ring() {
        state.withLock { state in
            state.rung = true
            return state.waiter.take()
        }?.resume()
    }

    /// From now on nothing waits any more.
    func stop() {
        state.withLock { $0.stopped = true }
        ring()
    }

    /// Returns when the bell was rung since the last wait, when `pause` returns, or when the task is cancelled.
    func wait(_ pause: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.heard() }
            group.addTask { await pause() }
            await group.next()
            group.cancelAll()
        }
    }

    private func heard() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answered = state.withLock { state in
                    if state.rung || state.stopped || Task.isCancelled {
                        state.rung = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if answered { continuation.resume() }
            }
            state.withLock { $0.rung = false }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
