internal import PinwatchCore
internal import Synchronization

/// Tells what was committed to those parts of the service that live by it: the schedule, the courier, live readers.
final class CommitRelay: Sendable {
    typealias Listener = @Sendable (Commit) -> Void

    private let listeners = Mutex<[Listener]>([])

    /// - Parameter listener: Called on the store's thread, which waits for it.
    func add(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

    func tell(_ commit: Commit) {
        for listener in listeners.withLock({ $0 }) { listener(commit) }
    }
}
