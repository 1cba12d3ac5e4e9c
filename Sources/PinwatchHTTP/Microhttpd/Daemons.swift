internal import Synchronization

/// The daemon that accepts, and those before it whose connections have not come to their end.
final class Daemons: Sendable {
    private struct State {
        /// `nil` after a stop.
        var current: Daemon?
        var certificate: ServerCertificate?
        var retiring: [Retiring] = []
    }

    private struct Retiring {
        let daemon: Daemon
        var ticks = 0
    }

    /// Beyond so many the oldest is ended at once: each has its threads.
    private static let maximumRetiring = 4

    private let state: Mutex<State>

    init(_ daemon: Daemon, _ certificate: ServerCertificate?) {
        state = Mutex(State(current: daemon, certificate: certificate))
    }

    /// What the accepting daemon proves itself with; `nil` for plain HTTP.
    var certificate: ServerCertificate? { state.withLock { $0.certificate } }

    /// Lets `daemon` alone accept from now on.
    func replace(by daemon: Daemon, _ certificate: ServerCertificate) {
        let (old, surplus) = state.withLock { state -> (Daemon?, Daemon?) in
            guard let old = state.current else { return (daemon, nil) }
            state.current = daemon
            state.certificate = certificate
            state.retiring.append(Retiring(daemon: old))
            let isFull = state.retiring.count > Self.maximumRetiring
            return (old, isFull ? state.retiring.removeFirst().daemon : nil)
        }
        old?.quiesce()
        if let surplus { Task { await surplus.stop(within: .zero) } }
    }

    /// Counts one tick for every connection, and ends daemons that retired and are done or overdue.
    func tick() {
        let (all, over) = state.withLock { state -> ([Daemon], [Daemon]) in
            for index in state.retiring.indices { state.retiring[index].ticks += 1 }
            // In its first tick a connection may be accepted and not yet told.
            let over = state.retiring.filter {
                $0.ticks > 1 && $0.daemon.core.connections.isEmpty || $0.ticks > $0.daemon.core.limits.retireTicks
            }
            state.retiring.removeAll { retiring in over.contains { $0.daemon === retiring.daemon } }
            return ((state.current.map { [$0] } ?? []) + state.retiring.map(\.daemon), over.map(\.daemon))
        }
        for daemon in all {
            for exchange in daemon.core.connections.tick() {
                exchange.finish(daemon.core.refuse(.tooSlow, closing: false))
            }
        }
        for daemon in over { Task { await daemon.stop(within: .seconds(1)) } }
    }

    /// Stops all of them side by side.
    func stop(within limit: Duration) async {
        let all = state.withLock { state in
            defer { (state.current, state.retiring) = (nil, []) }
            return (state.current.map { [$0] } ?? []) + state.retiring.map(\.daemon)
        }
        await withTaskGroup(of: Void.self) { group in
            for daemon in all { group.addTask { await daemon.stop(within: limit) } }
        }
    }

    var connections: [String: Int] {
        let all = state.withLock { state in (state.current.map { [$0] } ?? []) + state.retiring.map(\.daemon) }
        return all.reduce(into: [:]) { sum, daemon in
            sum.merge(daemon.core.connections.counts) { $0 + $1 }
        }
    }
}

extension Problem {
    static let tooSlow = Problem(
        503, "The answer took too long. Try again later.", headers: [.init("Retry-After", "30")])
}
