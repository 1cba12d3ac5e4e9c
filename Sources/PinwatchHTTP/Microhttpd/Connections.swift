internal import Glibc
internal import Synchronization

/// Every open connection with what it is at, so that none stays for ever and stopping knows when all are done.
///
/// libmicrohttpd's own timer starts anew at every byte and sleeps while a connection is suspended; the ticks here do neither.
final class Connections: Sendable {
    private enum Stage {
        case receiving
        case computing(Exchange)
        case sending
    }

    private struct Entry {
        let descriptor: Int32
        var stage = Stage.receiving
        var ticks = 0
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

    func receiving(on connection: Connection) {
        state.withLock { $0.move(connection, to: .receiving) }
    }

    /// Counts one tick for all: shuts down connections that are overdue, and returns exchanges that are.
    func tick() -> [Exchange] {
        state.withLock { state in
            var overdue: [Exchange] = []
            for key in state.entries.keys {
                guard var entry = state.entries[key] else { continue }
                entry.ticks += 1
                state.entries[key] = entry
                switch entry.stage {
                case .receiving: if entry.ticks > limits.receiveTicks { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
                case .computing(let exchange): if entry.ticks > limits.computeTicks { overdue.append(exchange) }
                case .sending: if entry.ticks > limits.sendTicks { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
                }
            }
            return overdue
        }
    }

    /// From now on nothing new is computed.
    func drain() {
        state.withLock { $0.isDraining = true }
    }

    /// The exchanges being computed, and how many answers are on their way.
    var busy: (computing: [Exchange], sending: Int) {
        state.withLock { state in
            var (computing, sending): ([Exchange], Int) = ([], 0)
            for entry in state.entries.values {
                switch entry.stage {
                case .receiving: continue
                case .computing(let exchange): computing.append(exchange)
                case .sending: sending += 1
                }
            }
            return (computing, sending)
        }
    }
}
