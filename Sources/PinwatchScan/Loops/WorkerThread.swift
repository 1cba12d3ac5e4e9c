internal import Glibc

/// A thread of the scanner's own, for work that must never block the cooperative pool.
///
/// All signals are blocked in it: they belong to the main thread, and a write to a broken connection then gives EPIPE
/// instead of ending the process (signal(7)).
final class WorkerThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t

    init(_ run: @escaping @Sendable () -> Void) throws(ScanError) {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run: run))
        let result = unsafe pthread_create(&thread, nil, workerMain, body.toOpaque())
        guard result == 0 else {
            unsafe body.release()
            throw .system(call: "pthread_create", number: result)
        }
        self.thread = thread
    }

    /// Waits for the thread's end; once, and only when it was told to end.
    func join() {
        pthread_join(thread, nil)
    }

    /// Lets the calling thread have what processors others leave, mostly, for good (setpriority(2), whose process 0 is the
    /// calling thread on Linux); a tenth it gets in any case. Where that is refused it goes on as it was.
    static func letOthersGoFirst() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// pthread_create(3) takes a C function: it takes over the reference that `init` retained.
    fileprivate static func main(_ argument: UnsafeMutableRawPointer) {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
    }
}

private func workerMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe argument.map { unsafe WorkerThread.main($0) }
    return nil
}
