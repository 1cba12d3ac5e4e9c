internal import Glibc

/// A serial executor with a thread of its own, for an actor whose work blocks in C.
///
/// The thread ends when the executor is released and its queue is empty.
final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    init() {
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runJobs, Unmanaged.passRetained(queue).toOpaque())
        precondition(code == 0, "the system gives no thread")
        pthread_detach(thread)
    }

    deinit { queue.finish() }

    func enqueue(_ job: consuming ExecutorJob) {
        unsafe queue.append(UnownedJob(job), on: asUnownedSerialExecutor())
    }
}

private func runJobs(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// `@unchecked Sendable`: `jobs` and `finished` are touched with `mutex` held only, as pthread_mutex_lock(3) and
/// pthread_cond_wait(3) demand; both objects live at one address from `init` to `deinit`.
@safe
private final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [(UnownedJob, UnownedSerialExecutor)] = unsafe []
    private var finished = false

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(arrived, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(arrived)
        unsafe pthread_mutex_destroy(mutex)
        unsafe arrived.deallocate()
        unsafe mutex.deallocate()
    }

    func append(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
        unsafe pthread_mutex_lock(mutex)
        unsafe jobs.append((job, executor))
        unsafe pthread_cond_signal(arrived)
        unsafe pthread_mutex_unlock(mutex)
    }

    func finish() {
        unsafe pthread_mutex_lock(mutex)
        finished = true
        unsafe pthread_cond_signal(arrived)
        unsafe pthread_mutex_unlock(mutex)
    }

    func run() {
        while let batch = unsafe take() {
            for unsafe(job, executor) in unsafe batch { unsafe job.runSynchronously(on: executor) }
        }
    }

    /// Everything that waits, in order; `nil` at the end.
    private func take() -> [(UnownedJob, UnownedSerialExecutor)]? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while unsafe jobs.isEmpty && !finished { unsafe pthread_cond_wait(arrived, mutex) }
        if unsafe jobs.isEmpty { return nil }
        let batch = unsafe jobs
        unsafe jobs.removeAll()
        return unsafe batch
    }
}
