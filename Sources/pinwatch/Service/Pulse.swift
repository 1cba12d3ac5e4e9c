internal import PinwatchCore
internal import Synchronization

/// When the loops that everything depends on last came round, so that a service whose loops stand still is noticed.
final class Pulse: Sendable {
    enum Loop: CaseIterable {
        /// Gives due targets to the scanner, five times a second.
        case dispatch
        /// Judges what time changes, every second.
        case time
    }

    private let clock = SteadyClock()
    private let beats: Mutex<[Loop: Instant]>

    init() {
        let clock = SteadyClock()
        beats = Mutex(Dictionary(uniqueKeysWithValues: Loop.allCases.map { ($0, clock.now()) }))
    }

    func beat(_ loop: Loop) {
        let now = clock.now()
        beats.withLock { $0[loop] = now }
    }

    /// The longest that a loop has not come round, in seconds.
    var silence: Int64 {
        let now = clock.now()
        return beats.withLock { $0.values.map { now.seconds(since: $0) }.max() ?? 0 }
    }
}
