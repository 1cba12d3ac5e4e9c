internal import Glibc
internal import Synchronization

/// Every open connection of one daemon with what it is at, so that none stays for ever and stopping knows when all are done.
///
/// libmicrohttpd's own timer starts anew at every byte and sleeps while a connection is suspended; the ticks here do neither.
final class Connections: Sendable {
    private enum Stage {
        /// A request, or the beginning of one.
        case receiving
        case computing(Exchange)
        case sending
        case streaming(Pump)
    }

    private struct Entry {
        let descriptor: Int32
        var stage = Stage.receiving
        var ticks = 0
        /// Whether nothing more comes of it, so that nobody waits for its end.
        var isCut = false

        mutating func cut() {
            isCut = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    private struct State {
        var entries: [Connection: Entry] = [:]
        var isDraining = false

        mutating func move(_ connection: Connection, to stage: Stage) {
            entries[connection]?.stage = stage
            entries[connection]?.ticks = 0
        }
    }

    private let state = Mutex(State())
    private let limits: ServerLimits

    init(limits: ServerLimits) {
        self.limits = limits
    }

    func opened(_ connection: Connection) {
        state.withLock { $0.entries[connection] = Entry(descriptor: connection.descriptor) }
    }

    /// Called by the library before it closes the descriptor, so what stands here is never another's.
    func closed(_ connection: Connection) {
        state.withLock { $0.entries[connection] = nil }
    }

    /// Whether the exchange may be computed: no longer while draining.
    func computing(_ exchange: Exchange, on connection: Connection) -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.move(connection, to: .computing(exchange))
            return true
        }
    }

    func sending(on connection: Connection) {
        state.withLock { $0.move(connection, to: .sending) }
    }

    /// A stream that comes while draining is over before it begins.
    func streaming(_ pump: Pump, on connection: Connection) {
        let isDraining = state.withLock { state in
            state.move(connection, to: .streaming(pump))
            return state.isDraining
        }
        if isDraining { _ = pump.end() }
    }

    func receiving(on connection: Connection) {
        state.withLock { $0.move(connection, to: .receiving) }
    }

    /// Counts one tick for all: shuts down connections that are overdue, and returns exchanges that are.
    func tick() -> [Exchange] {
        var pumps: [(Connection, Pump)] = []
        let overdue = state.withLock { state in
            var overdue: [Exchange] = []
            for key in state.entries.keys {
                guard var entry = state.entries[key] else { continue }
                entry.ticks += 1
                switch entry.stage {
                case .receiving: if entry.ticks > limits.receiveTicks { entry.cut() }
                case .computing(let exchange): if entry.ticks > limits.computeTicks { overdue.append(exchange) }
                case .sending: if entry.ticks > limits.sendTicks { entry.cut() }
                case .streaming(let pump): pumps.append((key, pump))
                }
                state.entries[key] = entry
            }
            return overdue
        }
        for (connection, pump) in pumps where pump.tick() { cut(pump, on: connection) }
        return overdue
    }

    /// Cuts the connection off unless it has come to something else.
    private func cut(_ pump: Pump, on connection: Connection) {
        state.withLock { state in
            if case .streaming(let current) = state.entries[connection]?.stage, current === pump {
                state.entries[connection]?.cut()
            }
        }
    }

    /// From now on nothing new is computed, and streams end: at once where the peer takes what it is sent, else by a cut.
    func drain() {
        let pumps = state.withLock { state in
            state.isDraining = true
            return state.entries.compactMap { connection, entry -> (Connection, Pump)? in
                if case .streaming(let pump) = entry.stage { (connection, pump) } else { nil }
            }
        }
        for (connection, pump) in pumps where !pump.end() { cut(pump, on: connection) }
    }

    /// The exchanges being computed, and how many answers are on their way.
    var busy: (computing: [Exchange], sending: Int) {
        state.withLock { state in
            var (computing, sending): ([Exchange], Int) = ([], 0)
            for entry in state.entries.values where !entry.isCut {
                switch entry.stage {
                case .receiving: continue
                case .computing(let exchange): computing.append(exchange)
                case .sending, .streaming: sending += 1
                }
            }
            return (computing, sending)
        }
    }

    /// How many connections are at what, for metrics; what waits for a next request counts as `receiving`.
    var counts: [String: Int] {
        state.withLock { state in
            var counts = ["receiving": 0, "computing": 0, "sending": 0, "streaming": 0]
            for entry in state.entries.values {
                switch entry.stage {
                case .receiving: counts["receiving", default: 0] += 1
                case .computing: counts["computing", default: 0] += 1
                case .sending: counts["sending", default: 0] += 1
                case .streaming: counts["streaming", default: 0] += 1
                }
            }
            return counts
        }
    }

    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }
}
