internal import Glibc

/// Sends requests over libcurl, all on one thread of its own: a slow receiver delays no other, and nothing here blocks
/// the caller's executor.
package final class CurlClient: Sendable {
    let loop: CurlLoop

    /// Starts the thread. One client serves a whole process.
    ///
    /// - Parameters:
    ///   - userAgent: `pinwatch/<version>`.
    ///   - timeoutMilliseconds: Bounds a try from name resolution to the answer's last byte.
    /// - Throws: ``AlertError/client(_:)``.
    package init(userAgent: String, timeoutMilliseconds: Int = 10_000) throws(AlertError) {
        let loop = try CurlLoop(userAgent: userAgent, timeoutMilliseconds: timeoutMilliseconds)
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(loop).toOpaque()
        let code = unsafe pthread_create(&thread, nil, runCurlLoop, argument)
        guard code == 0 else {
            unsafe Unmanaged<CurlLoop>.fromOpaque(argument).release()
            throw .client("pthread_create: error \(code)")
        }
        // Whoever lets go of the client last may be on Swift's pool, which must not wait for a thread.
        pthread_detach(thread)
        self.loop = loop
    }

    /// Tells the thread to end, which it does at once; the library's handles go with the last of the two.
    deinit {
        loop.stop()
    }

    /// Tries the request once. Redirects are not followed, proxies of the environment not used, certificates verified.
    /// Cancelling the task ends the try as ``AttemptFailure/cancelled``.
    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        let id = loop.open()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { loop.submit(request, as: id, answer: $0) }
        } onCancel: {
            loop.cancel(id)
        }
    }
}

/// The thread's body. A C function: it gets the loop at +1 and hands that reference back by returning.
private func runCurlLoop(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    // Signals belong to the threads that expect them; and OpenSSL's writes to a closed socket raise SIGPIPE.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    unsafe Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
