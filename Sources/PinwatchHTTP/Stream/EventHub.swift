package import PinwatchCore
internal import Synchronization

/// Hands what was committed to every reader of the events stream.
///
/// One ring holds the newest events as they are sent; a reader is a place in it. So a thousand readers cost a thousand
/// places, and one that does not read costs the others nothing: when the ring has gone past its place, it is dropped.
///
/// Hints of changes are no ring but the number of the newest commit per topic: whoever looks late sees all of them once.
package final class EventHub: Sendable {
    private struct State {
        /// By sequence, modulo the ring's size.
        var ring: [Frame] = []
        /// The sequence of the next event.
        var next: UInt64 = 0
        /// Events up to this id are not in the ring: they fell out of it, or were there before the first publication.
        /// `nil` before that.
        var floor: Int64?
        /// The number of the newest commit that touched a topic.
        var topics: [Commit.Topic: UInt64] = [:]
        var commits: UInt64 = 0
        /// Readers with a connection, to be asked whether they may go on.
        var connected: [ObjectIdentifier: EventReader] = [:]
        /// Readers that have read everything, and are to be woken.
        var waiting: [ObjectIdentifier: EventReader] = [:]
        var readers = 0
        var dropped = 0
        var refused = 0
    }

    private struct Frame: Sendable {
        let id: Int64
        let bytes: [UInt8]
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let maximumReaders: Int

    /// - Parameters:
    ///   - capacity: Events that a reader may fall behind.
    ///   - maximumReaders: Beyond it the stream is refused.
    package init(capacity: Int = 1_000, maximumReaders: Int = 1_024) {
        self.capacity = capacity
        self.maximumReaders = maximumReaders
    }

    /// Takes what a transaction brought, after its commit. Commits come in their order, one at a time; any thread may
    /// call, and is never held up by a reader.
    package func publish(_ commit: Commit) {
        let frames = commit.events.map { Frame(id: $0.id, bytes: EventFrame.event($0)) }
        let (waiting, doubtful) = state.withLock { state -> ([EventReader], [EventReader]) in
            let doubtful = commit.endsAccess ? Array(state.connected.values) : []
            if !commit.topics.isEmpty {
                state.commits += 1
                for topic in commit.topics { state.topics[topic] = state.commits }
            }
            guard let first = frames.first else { return ([], doubtful) }
            if state.floor == nil { state.floor = first.id - 1 }
            for frame in frames { append(frame, to: &state) }
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), doubtful)
        }
        for reader in waiting { reader.wakeUp() }
        for reader in doubtful { reader.doubt() }
    }

    private func append(_ frame: Frame, to state: inout State) {
        if state.ring.count < capacity {
            state.ring.append(frame)
        } else {
            let index = Int(state.next % UInt64(capacity))
            state.floor = state.ring[index].id
            state.ring[index] = frame
        }
        state.next += 1
    }

    // MARK: For readers

    /// A place for one more reader, which it leaves by ``leave()``.
    ///
    /// - Throws: A ``Problem`` 503 where all places are taken.
    func enter() throws(Problem) {
        let isFull = state.withLock { state in
            guard state.readers < maximumReaders else {
                state.refused += 1
                return true
            }
            state.readers += 1
            return false
        }
        if isFull {
            throw Problem(
                503, "\(maximumReaders) readers follow the events already. Try again later.",
                headers: [.init("Retry-After", "30")])
        }
    }

    func leave() { state.withLock { $0.readers -= 1 } }

    /// The place after everything that was published; and the number of the newest commit.
    var now: (place: UInt64, commit: UInt64) { state.withLock { ($0.next, $0.commits) } }

    /// The place from which the ring has every event after `id`; `nil` where older ones must come from the store first.
    ///
    /// - Parameter isRead: Whether the store was read just now and had nothing after `id`, so that an event that is
    ///   neither there nor here is still to come.
    func place(after id: Int64, isRead: Bool) -> UInt64? {
        state.withLock { state in
            guard let floor = state.floor else { return isRead ? state.next : nil }
            guard id >= floor else { return nil }
            return state.next - UInt64(state.ring.count)
        }
    }

    /// What a reader finds at its place.
    enum Reading: Sendable {
        /// Events after the reader's cursor, as many as `limit` bytes hold but at least one; and where to go on.
        case frames([UInt8], next: UInt64, cursor: Int64)
        /// Nothing: the reader will be woken.
        case nothing
        /// The ring has gone past the place.
        case lost
    }

    /// Reads on from a place. Events up to `cursor` are passed over: the reader has them from the store.
    func read(from place: UInt64, after cursor: Int64, limit: Int, for reader: EventReader) -> Reading {
        state.withLock { state in
            guard place + UInt64(state.ring.count) >= state.next else {
                state.dropped += 1
                return .lost
            }
            var (bytes, place, cursor): ([UInt8], UInt64, Int64) = ([], place, cursor)
            while place < state.next {
                let frame = state.ring[Int(place % UInt64(capacity))]
                if frame.id > cursor {
                    guard bytes.isEmpty || bytes.count + frame.bytes.count <= limit else { break }
                    bytes += frame.bytes
                    cursor = frame.id
                }
                place += 1
            }
            if bytes.isEmpty {
                state.waiting[ObjectIdentifier(reader)] = reader
                return .nothing
            }
            return .frames(bytes, next: place, cursor: cursor)
        }
    }

    /// Has a connection from now on.
    func connect(_ reader: EventReader) {
        state.withLock { $0.connected[ObjectIdentifier(reader)] = reader }
    }

    /// Has no connection and waits for nothing any more.
    func forget(_ reader: EventReader) {
        state.withLock { state in
            state.connected[ObjectIdentifier(reader)] = nil
            state.waiting[ObjectIdentifier(reader)] = nil
        }
    }

    /// Topics of commits after one of this number, and the newest number.
    func changes(since commit: UInt64) -> (topics: Set<Commit.Topic>, commit: UInt64) {
        state.withLock { state in
            guard state.commits > commit else { return ([], commit) }
            return (Set(state.topics.filter { $0.value > commit }.keys), state.commits)
        }
    }

    /// Readers now; dropped since the start because they fell behind; refused since the start for want of a place.
    var counts: (readers: Int, dropped: Int, refused: Int) {
        state.withLock { ($0.readers, $0.dropped, $0.refused) }
    }
}
