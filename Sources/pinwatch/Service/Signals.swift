internal import CLinux
internal import Glibc

/// SIGINT, SIGTERM and SIGHUP as values. The handler, which any thread may run, writes the number into a pipe
/// (signal-safety(7)); a thread of its own reads it from there.
enum Signals {
    /// From now on none of them ends the process; gives the number of each that arrives.
    static func stopping() -> AsyncStream<Int32> {
        let descriptor = pinwatch_signals_to_pipe()
        guard descriptor >= 0 else { preconditionFailure("no pipe could be made for signals: error \(errno)") }
        signal(SIGPIPE, SIG_IGN)
        // A write beyond a limit of size shall fail as one on a full disk does, not end the process (setrlimit(2)).
        signal(SIGXFSZ, SIG_IGN)
        return AsyncStream { continuation in
            let thread = SignalThread(descriptor: descriptor, continuation: continuation)
            thread.start()
        }
    }

    /// Waits for the first that asks for a stop; another one from then on ends the process with status 1.
    ///
    /// - Parameter reload: What a SIGHUP asks for, unless a terminal that hangs up sent it: the end of the terminal that
    ///   it runs in is the end of the service.
    static func first(of signals: AsyncStream<Int32>, reload: @escaping @Sendable () async -> Void) async {
        for await signal in signals {
            guard signal == SIGHUP, isatty(STDERR_FILENO) == 0 else { break }
            Task { await reload() }
        }
        Task {
            for await signal in signals where signal != SIGHUP {
                Log.warning(.service, "stopped at once by signal \(signal)")
                exit(1)
            }
        }
    }
}

/// Waits in `read(2)`, which must not happen on Swift's own threads.
private final class SignalThread: Sendable {
    private let descriptor: Int32
    private let continuation: AsyncStream<Int32>.Continuation

    init(descriptor: Int32, continuation: AsyncStream<Int32>.Continuation) {
        self.descriptor = descriptor
        self.continuation = continuation
    }

    func start() {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let failed = unsafe pthread_create(&thread, nil, signalThreadMain, context)
        guard failed == 0 else { preconditionFailure("no thread could be made to wait for signals: error \(failed)") }
        pthread_detach(thread)
    }

    func run() {
        var number: UInt8 = 0
        while true {
            let count = unsafe read(descriptor, &number, 1)
            if count == 1 { continuation.yield(Int32(number)) } else if count == 0 || errno != EINTR { return }
        }
    }
}

/// The C entry of ``SignalThread``; it takes over the reference that `start` retained.
private func signalThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Unmanaged<SignalThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
