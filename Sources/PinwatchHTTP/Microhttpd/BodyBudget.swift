internal import Synchronization

/// Bytes of request bodies that are held at once, over all connections.
final class BodyBudget: Sendable {
    private let left: Mutex<Int>

    init(bytes: Int) {
        left = Mutex(bytes)
    }

    /// What one request holds of the budget; gives it back when nobody needs the request any more.
    final class Lease: Sendable {
        private let budget: BodyBudget
        private let taken = Mutex(0)

        init(_ budget: BodyBudget) {
            self.budget = budget
        }

        /// Whether there was room for so many bytes more.
        func take(_ bytes: Int) -> Bool {
            let isTaken = budget.left.withLock { left in
                guard left >= bytes else { return false }
                left -= bytes
                return true
            }
            if isTaken { taken.withLock { $0 += bytes } }
            return isTaken
        }

        /// Gives everything back, before the request's end.
        func release() {
            let bytes = taken.withLock { taken in
                defer { taken = 0 }
                return taken
            }
            budget.left.withLock { $0 += bytes }
        }

        deinit { release() }
    }

    /// For tests and metrics.
    var available: Int { left.withLock { $0 } }
}
