internal import CMicrohttpd
internal import Synchronization

/// Carries a stream's bytes into its connection: suspends it where the stream has nothing, and wakes it again.
///
/// The library aborts the process if it is stopped with a suspended connection. So once ``end()`` was called the
/// connection is never suspended again.
final class Pump: Sendable {
    private struct State {
        var isSuspended = false
        /// Something came since the stream was last asked.
        var isWoken = false
        var isEnding = false
        /// Ticks since the library last asked for bytes, while it could.
        var ticks = 0
    }

    private let stream: any ResponseStream
    private let connection: Connection
    private let stall: Int
    private let state = Mutex(State())

    /// - Parameter stall: Ticks in which a peer may take nothing of what it was sent.
    init(_ stream: any ResponseStream, on connection: Connection, stall: Int) {
        self.stream = stream
        self.connection = connection
        self.stall = stall
        stream.begin { [weak self] in self?.wake() }
    }

    /// The library's question for more, on its thread.
    ///
    /// - Returns: The bytes written; 0 after suspending the connection; negative at the end.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let isEnding = state.withLock { state in
                state.isWoken = false
                state.ticks = 0
                return state.isEnding
            }
            guard !isEnding else { return CMicrohttpd_end_of_stream() }
            switch stream.next(buffer.count) {
            case .bytes(let bytes):
                unsafe buffer.copyBytes(from: bytes)
                return bytes.count
            case .end: return CMicrohttpd_end_of_stream()
            case .nothing: if suspend() { return 0 }
            }
        }
    }

    /// Suspends the connection unless something came meanwhile. Under the lock, so that a wake comes before or after.
    private func suspend() -> Bool {
        state.withLock { state in
            guard !state.isWoken, !state.isEnding else { return false }
            connection.suspend()
            state.isSuspended = true
            return true
        }
    }

    private func wake() {
        state.withLock { state in
            state.isWoken = true
            resume(&state)
        }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        connection.resume()
    }

    /// Ends the body at the next question, and makes that question come.
    ///
    /// - Returns: Whether the peer was taking what it was sent, so that it will hear of the end.
    func end() -> Bool {
        state.withLock { state in
            state.isEnding = true
            let isIdle = state.isSuspended
            resume(&state)
            return isIdle
        }
    }

    /// Counts one tick.
    ///
    /// - Returns: Whether the peer takes nothing, and should be cut off.
    func tick() -> Bool {
        let isStalled = state.withLock { state in
            guard !state.isSuspended else { return false }
            state.ticks += 1
            return state.ticks > stall
        }
        stream.tick()
        return isStalled
    }

    /// The library has let go of the body.
    func closed() { stream.closed() }
}
