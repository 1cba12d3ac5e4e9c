internal import Dispatch
internal import Synchronization

/// Work on somebody's upload: it blocks for as long as the upload makes it, so it is done one piece after another on a
/// thread of its own, and never more than a few pieces wait.
final class Workbench: Sendable {
    /// What waits or is done at once.
    private static let capacity = 8
    /// How long the one who asks waits, its turn included. Work that takes longer goes on, and what it gives is dropped.
    private let limit: Duration
    private let queue: DispatchQueue
    private let held = Mutex(0)

    /// - Parameter name: What the thread is called.
    init(_ name: String, limit: Duration = .seconds(20)) {
        queue = DispatchQueue(label: "pinwatch.\(name)")
        self.limit = limit
    }

    /// What the one who asks is told: once, by whichever comes first.
    private final class Answer<Result: Sendable>: Sendable {
        private let waiting: Mutex<CheckedContinuation<Result?, Never>?>

        init(_ continuation: CheckedContinuation<Result?, Never>) { waiting = Mutex(continuation) }

        var isAwaited: Bool { waiting.withLock { $0 != nil } }

        func give(_ result: Result?) {
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: result)
        }
    }

    /// Does `work`; `nil` if too much waits already, or the limit is over before it is done.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        let isTaken = held.withLock { held in
            guard held < Self.capacity else { return false }
            held += 1
            return true
        }
        guard isTaken else { return nil }
        let limit = limit
        return await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            let watch = Task {
                try? await Task.sleep(for: limit)
                answer.give(nil)
            }
            queue.async { [self] in
                if answer.isAwaited { answer.give(work()) }
                watch.cancel()
                held.withLock { $0 -= 1 }
            }
        }
    }
}
