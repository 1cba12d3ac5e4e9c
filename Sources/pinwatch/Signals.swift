internal import CLinux
internal import Glibc

/// SIGINT and SIGTERM as values, read from a signalfd by a thread of its own (signalfd(2)).
enum Signals {
    /// Blocks both signals for the process and gives the number of each that arrives. Call before other threads start:
    /// they inherit the mask.
    static func stopping() -> AsyncStream<Int32> {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe sigaddset(&mask, SIGINT)
        unsafe sigaddset(&mask, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &mask, nil)
        signal(SIGPIPE, SIG_IGN)
        let descriptor = unsafe signalfd(-1, &mask, Int32(SFD_CLOEXEC))
        return AsyncStream { continuation in
            let thread = SignalThread(descriptor: descriptor, continuation: continuation)
            thread.start()
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
        var info = signalfd_siginfo()
        while unsafe read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            continuation.yield(Int32(info.ssi_signo))
        }
    }
}

/// The C entry of ``SignalThread``; it takes over the reference that `start` retained.
private func signalThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Unmanaged<SignalThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
