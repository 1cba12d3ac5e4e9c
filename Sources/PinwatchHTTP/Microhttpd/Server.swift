internal import CMicrohttpd
internal import Dispatch
internal import Glibc
package import PinwatchCore
internal import Synchronization

/// The HTTP daemon: libmicrohttpd's epoll threads, one per core, in front of a function from request to response.
///
/// Must be stopped before it is let go of; letting go of it unstopped answers 503 to whatever is being computed.
package final class Server: Sendable {
    /// The address with the real port.
    package let address: ListenAddress
    private let core: ServerCore
    private let watch: Task<Void, Never>
    /// The daemon's handle until stopping begins, which takes it.
    private let daemon: Mutex<Handle?>

    /// The handle is used by one call at a time: by `stop`, or by `deinit` if that never ran.
    @safe private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

        /// Stops accepting; the listening socket is the caller's to close from then on, after ``end()``.
        func quiesce() -> Int32 { unsafe MHD_quiesce_daemon(pointer) }
        /// Joins the threads. Aborts the process if a connection is suspended.
        func end() { unsafe MHD_stop_daemon(pointer) }
    }

    /// Starts listening; requests arrive from now on.
    ///
    /// - Parameters:
    ///   - listen: Port 0 lets the system choose.
    ///   - threads: As many as cores.
    ///   - respond: Called on Swift's pool for each request, with its connection suspended.
    ///   - refuse: Called on the library's threads for requests that are not computed; must not block.
    /// - Throws: ``HTTPFailure`` if the address cannot be listened on.
    package init(
        listen: ListenAddress, threads: Int, limits: ServerLimits = ServerLimits(),
        respond: @escaping @Sendable (Request) async -> Response, refuse: @escaping @Sendable (Problem) -> Response
    ) throws(HTTPFailure) {
        let core = ServerCore(limits: limits, respond: respond, refuse: refuse)
        let socket = try ListeningSocket(listen)
        let context = unsafe Unmanaged.passUnretained(core).toOpaque()
        let started = unsafe CMicrohttpd_start_daemon(
            socket.descriptor, UInt32(max(threads, 2)), limits.connections, limits.inactivitySeconds,
            limits.connectionMemory, context, requestAdvanced, requestBegan, requestCompleted, connectionChanged)
        guard let started = unsafe started else {
            close(socket.descriptor)
            throw .daemonRefused(address: listen.description)
        }
        self.core = core
        address = socket.address
        watch = Task {
            while (try? await Task.sleep(for: limits.tick)) != nil {
                for exchange in core.connections.tick() {
                    exchange.finish(core.refuse(.tooSlow, closing: false))
                }
            }
        }
        daemon = unsafe Mutex(Handle(started))
    }

    /// Stops accepting, lets what is being computed and sent come to its end for at most `limit`, answers 503 to what
    /// is still being computed then, and ends the threads. Further calls do nothing.
    package func stop(within limit: Duration) async {
        let taken = daemon.withLock { daemon -> Handle? in
            defer { daemon = nil }
            return daemon
        }
        guard let taken else { return }
        core.connections.drain()
        let listening = taken.quiesce()
        await settle(within: limit)
        watch.cancel()
        if answerAll() { await settle(within: .milliseconds(500)) }
        // Ending the threads joins them, which must not hold up the pool that their requests are computed on.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "pinwatch.http.stop").async {
                taken.end()
                if listening >= 0 { close(listening) }
                continuation.resume()
            }
        }
    }

    deinit {
        watch.cancel()
        core.connections.drain()
        _ = answerAll()
        daemon.withLock { $0 }?.end()
    }

    private func settle(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let (computing, sending) = core.connections.busy
            if computing.isEmpty && sending == 0 { return }
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }

    /// The library aborts the process if it is stopped with a suspended connection. Tells whether there was one.
    private func answerAll() -> Bool {
        let left = core.connections.busy.computing
        for exchange in left { exchange.finish(core.refuse(.stopping, closing: true)) }
        return !left.isEmpty
    }
}

extension Problem {
    static let tooSlow = Problem(
        503, "The answer took too long. Try again later.", headers: [.init("Retry-After", "30")])
}
