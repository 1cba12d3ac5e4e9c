internal import Glibc

/// A thread that runs one closure and is waited for by nobody: for servers of tests, which block.
package final class DetachedThread: Sendable {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    package static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(DetachedThread(body)).toOpaque()
        let code = unsafe pthread_create(&thread, nil, runDetachedThread, argument)
        precondition(code == 0, "pthread_create: error \(code)")
        pthread_detach(thread)
    }

    fileprivate func run() { body() }
}

private func runDetachedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument = unsafe argument {
        unsafe Unmanaged<DetachedThread>.fromOpaque(argument).takeRetainedValue().run()
    }
    return nil
}
