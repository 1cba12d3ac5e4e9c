package import PinwatchCore
internal import Synchronization

/// A clock that stands still until it is moved.
package final class ManualClock: Sendable {
    private let time: Mutex<Instant>

    package init(_ start: Instant) {
        time = Mutex(start)
    }

    package var now: Instant { time.withLock { $0 } }

    package func advance(by seconds: Int64) {
        time.withLock { $0 = $0 + seconds }
    }
}
