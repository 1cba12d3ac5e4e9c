internal import CMicrohttpd
internal import Dispatch
internal import Glibc
internal import PinwatchCore
internal import Synchronization

/// One daemon of libmicrohttpd: its epoll threads on a listening socket, under one certificate or none.
///
/// Must be stopped before it is let go of; letting go of it unstopped answers 503 to whatever is being computed.
final class Daemon: Sendable {
    let core: ServerCore
    /// The daemon's handle until stopping begins, which takes it.
    private let handle: Mutex<Handle?>
    /// The listening socket after ``quiesce()``, to be closed when the threads are gone.
    private let listening = Mutex<Int32>(-1)

    /// The handle is used by one call at a time: by `stop`, or by `deinit` if that never ran.
    @safe private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

        /// Stops accepting; the listening socket is the caller's to close from then on, after ``end()``.
        func quiesce() -> Int32 { unsafe MHD_quiesce_daemon(pointer) }
        /// Joins the threads. Aborts the process if a connection is suspended.
        func end() { unsafe MHD_stop_daemon(pointer) }
    }

    /// Starts accepting on a copy of `socket`, which stays the caller's: the library closes what it was given, also when
    /// it does not start.
    ///
    /// - Throws: ``HTTPFailure/certificate(reason:)`` for a pair that cannot be used, else
    ///   ``HTTPFailure/daemonRefused(address:)``.
    init(
        on socket: ListeningSocket, certificate: ServerCertificate?, threads: Int, handlers: ServerHandlers
    ) throws(HTTPFailure) {
        let core = ServerCore(handlers, isSecure: certificate != nil)
        let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .daemonRefused(address: socket.address.description) }
        var complaint = [CChar](repeating: 0, count: 256)
        let started = unsafe Self.start(core, on: copy, certificate, threads, &complaint)
        guard let started = unsafe started else {
            let bytes = complaint.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let reason = String(decoding: bytes, as: UTF8.self)
            if certificate != nil, !reason.isEmpty { throw .certificate(reason: Self.told(reason)) }
            throw .daemonRefused(address: socket.address.description)
        }
        self.core = core
        handle = unsafe Mutex(Handle(started))
    }

    private static func start(
        _ core: ServerCore, on socket: Int32, _ certificate: ServerCertificate?, _ threads: Int,
        _ complaint: inout [CChar]
    ) -> OpaquePointer? {
        let context = unsafe Unmanaged.passUnretained(core).toOpaque()
        var settings = unsafe CMicrohttpd_settings()
        unsafe settings.listen_socket = socket
        unsafe settings.threads = UInt32(max(threads, 2))
        unsafe settings.connections = core.limits.connections
        unsafe settings.inactivity_seconds = core.limits.inactivitySeconds
        unsafe settings.connection_memory = core.limits.connectionMemory
        let count = complaint.count
        func start(_ settings: CMicrohttpd_settings) -> OpaquePointer? {
            unsafe withUnsafePointer(to: settings) { settings in
                unsafe complaint.withUnsafeMutableBufferPointer { complaint in
                    unsafe CMicrohttpd_start_daemon(
                        settings, context, requestAdvanced, requestBegan, requestCompleted, connectionChanged,
                        complaint.baseAddress, count)
                }
            }
        }
        guard let certificate else { return unsafe start(settings) }
        return unsafe certificate.chain.withCString { chain in
            unsafe certificate.key.revealed.withCString { key in
                unsafe ServerCertificate.priorities.withCString { priorities in
                    unsafe settings.certificate = chain
                    unsafe settings.key = key
                    unsafe settings.priorities = priorities
                    return unsafe start(settings)
                }
            }
        }
    }

    /// The library's words without what a person cannot use.
    private static func told(_ complaint: String) -> String {
        let start = "GnuTLS failed to setup x509 certificate/key: "
        let text = complaint.hasPrefix(start) ? complaint.dropFirst(start.count) : complaint[...]
        return String(text.filter { !$0.isNewline })
    }

    /// Stops accepting; what is connected goes on.
    func quiesce() {
        let socket = handle.withLock { $0?.quiesce() ?? -1 }
        if socket >= 0 { listening.withLock { $0 = socket } }
    }

    /// Stops accepting, ends streams, lets what is being computed and sent come to its end for at most `limit`, answers
    /// 503 to what is still being computed then, and ends the threads. Further calls do nothing.
    func stop(within limit: Duration) async {
        core.connections.drain()
        quiesce()
        let taken = handle.withLock { handle -> Handle? in
            defer { handle = nil }
            return handle
        }
        guard let taken else { return }
        await settle(within: limit)
        if answerAll() { await settle(within: .milliseconds(500)) }
        // Ending the threads joins them, which must not hold up the pool that their requests are computed on.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "pinwatch.http.stop").async {
                taken.end()
                self.closeListening()
                continuation.resume()
            }
        }
    }

    deinit {
        core.connections.drain()
        quiesce()
        _ = answerAll()
        handle.withLock { $0 }?.end()
        closeListening()
    }

    private func closeListening() {
        let socket = listening.withLock { socket in
            defer { socket = -1 }
            return socket
        }
        if socket >= 0 { close(socket) }
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
