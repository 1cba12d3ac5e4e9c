internal import PinwatchCore
internal import Synchronization

/// One reader of the events stream: a place in the hub's ring, and before that in the store.
///
/// What it holds is bounded: the rest of one piece, at most a page of the store. What the store is read for, and whether
/// the reader may go on, is asked on Swift's pool while the connection waits.
final class EventReader: ResponseStream {
    /// What a reader needs of the rest of the service.
    struct Source: Sendable {
        let hub: EventHub
        /// Stored events after an id, oldest first, at most so many.
        let events: @Sendable (_ after: Int64, _ limit: Int) async throws -> [EventRecord]
        /// Whether the reader would be let in now.
        let isAllowed: @Sendable () async throws -> Bool
        /// Takes a line for an error that ended the stream.
        let failed: @Sendable (any Error) -> Void
    }

    private enum Stage {
        /// Events come from the store, in pages; one may be on its way.
        case replaying(isFetching: Bool)
        case following(place: UInt64)
        case ended
    }

    private struct State {
        var stage: Stage
        /// The newest event that was given.
        var cursor: Int64
        var pending: ArraySlice<UInt8>
        /// The newest commit whose topics were given.
        var commit: UInt64
        var areChangesDue = false
        var isHeartbeatDue = false
        /// Whether an answer to ``Source/isAllowed`` is on its way.
        var isAsking = false
        /// Whether that answer may be of before something that ended somebody's access.
        var isAnswerOld = false
        var ticks = 0
        var wake: (@Sendable () -> Void)?
    }

    private static let page = 64
    private let heartbeatTicks: Int
    private let source: Source
    private let state: Mutex<State>

    /// - Parameters:
    ///   - after: The newest event that the reader has; `nil` begins with what happens next.
    ///   - isReturning: Whether the reader was here before, and so may have missed hints of changes.
    ///   - heartbeatTicks: From one heartbeat, before which is asked whether the reader may go on, to the next.
    /// - Throws: A ``Problem`` 503 where there are too many readers.
    init(
        _ source: Source, after: Int64?, isReturning: Bool = false, heartbeatTicks: Int = 15
    ) throws(Problem) {
        try source.hub.enter()
        self.source = source
        self.heartbeatTicks = heartbeatTicks
        let now = source.hub.now
        let place = after.map { source.hub.place(after: $0, isRead: false) } ?? now.place
        let first = EventFrame.retry + (isReturning ? EventFrame.change(Set(Commit.Topic.allCases)) : [])
        state = Mutex(
            State(
                stage: place.map { .following(place: $0) } ?? .replaying(isFetching: false), cursor: after ?? 0,
                pending: first[...], commit: now.commit))
    }

    deinit { source.hub.leave() }

    func begin(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        source.hub.connect(self)
    }

    func closed() {
        state.withLock { state in
            state.stage = .ended
            state.wake = nil
        }
        source.hub.forget(self)
    }

    /// Something came, or may have.
    func wakeUp() { state.withLock { $0.wake }?() }

    // MARK: What is said next

    func next(_ count: Int) -> StreamPiece {
        let (piece, fetch) = state.withLock { state -> (StreamPiece, Int64?) in
            if state.pending.isEmpty { fill(&state, limit: count) }
            if !state.pending.isEmpty {
                let bytes = Array(state.pending.prefix(count))
                // An empty slice would keep the whole piece alive.
                state.pending = bytes.count == state.pending.count ? [] : state.pending.dropFirst(count)
                return (.bytes(bytes), nil)
            }
            switch state.stage {
            case .ended: return (.end, nil)
            case .following, .replaying(isFetching: true): return (.nothing, nil)
            case .replaying(isFetching: false):
                state.stage = .replaying(isFetching: true)
                return (.nothing, state.cursor)
            }
        }
        if let fetch { Task { await self.fetch(after: fetch) } }
        return piece
    }

    private func fill(_ state: inout State, limit: Int) {
        if case .following(let place) = state.stage {
            switch source.hub.read(from: place, after: state.cursor, limit: limit, for: self) {
            case .frames(let bytes, let next, let cursor):
                state.pending = bytes[...]
                state.cursor = cursor
                state.stage = .following(place: next)
            case .nothing: break
            case .lost: state.stage = .ended
            }
        }
        if state.areChangesDue {
            state.areChangesDue = false
            let (topics, commit) = source.hub.changes(since: state.commit)
            state.commit = commit
            if !topics.isEmpty { state.pending += EventFrame.change(topics) }
        }
        if state.isHeartbeatDue {
            state.isHeartbeatDue = false
            if state.pending.isEmpty { state.pending += EventFrame.heartbeat }
        }
    }

    /// Reads a page of the store; once there is nothing more, goes on in the ring.
    private func fetch(after id: Int64) async {
        do {
            let records = try await source.events(id, Self.page)
            state.withLock { state in
                guard case .replaying = state.stage else { return }
                for record in records where record.id > state.cursor {
                    state.pending += EventFrame.event(record)
                    state.cursor = record.id
                }
                let place = records.isEmpty ? source.hub.place(after: state.cursor, isRead: true) : nil
                state.stage = place.map { .following(place: $0) } ?? .replaying(isFetching: false)
            }
        } catch {
            fail(error)
        }
        wakeUp()
    }

    // MARK: As time goes by

    func tick() {
        let (isDue, isAsked) = state.withLock { state -> (Bool, Bool) in
            if case .ended = state.stage { return (false, false) }
            state.ticks += 1
            let isAsked = state.ticks >= heartbeatTicks && !state.isAsking
            if isAsked { (state.ticks, state.isAsking) = (0, true) }
            guard source.hub.now.commit > state.commit else { return (false, isAsked) }
            state.areChangesDue = true
            return (true, isAsked)
        }
        if isDue { wakeUp() }
        if isAsked { Task { await self.ask() } }
    }

    /// Asks at once whether the reader may go on: somebody's access ended.
    func doubt() {
        let isAsked = state.withLock { state in
            state.isAnswerOld = state.isAsking
            defer { state.isAsking = true }
            return !state.isAsking
        }
        if isAsked { Task { await self.ask() } }
    }

    /// A heartbeat, or the end for a reader that would not be let in any more.
    private func ask() async {
        do {
            var isAskedAgain = false
            repeat {
                let isAllowed = try await source.isAllowed()
                isAskedAgain = state.withLock { take(isAllowed, &$0) }
            } while isAskedAgain
        } catch {
            fail(error)
        }
        wakeUp()
    }

    /// - Returns: Whether to ask again, since the answer may be old.
    private func take(_ isAllowed: Bool, _ state: inout State) -> Bool {
        if isAllowed, state.isAnswerOld {
            state.isAnswerOld = false
            return true
        }
        state.isAsking = false
        state.isAnswerOld = false
        if isAllowed {
            state.isHeartbeatDue = true
        } else {
            (state.stage, state.pending) = (.ended, [])
        }
        return false
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.stage = .ended }
        source.failed(error)
    }
}
