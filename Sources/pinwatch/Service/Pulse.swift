internal import PinwatchCore
internal import Synchronization

/// When the loops that everything depends on last came round, so that a service whose loops stand still is noticed.
final class Pulse: Sendable {
    enum Loop: CaseIterable {
        /// Gives due targets to the scanner, five times a second.
        case dispatch
        /// Judges what time changes, every second, and removes what is old; each batch of either is a turn.
        case time
    }

    private let clock: @Sendable () -> Instant
    private let beats: Mutex<[Loop: Instant]>

    /// - Parameter clock: One that nobody sets.
    init(clock: @escaping @Sendable () -> Instant = SteadyClock().now) {
        self.clock = clock
        beats = Mutex(Dictionary(uniqueKeysWithValues: Loop.allCases.map { ($0, clock()) }))
    }

    func beat(_ loop: Loop) {
        let now = clock()
        beats.withLock { $0[loop] = now }
    }

    /// How long one loop has not come round, in seconds.
    func silence(of loop: Loop) -> Int64 {
        let now = clock()
        return beats.withLock { $0[loop].map { now.seconds(since: $0) } ?? 0 }
    }

    /// A loop that has not come round for as many seconds stands still.
    private static let patience: Int64 = 30

    /// How long a loop has stood still, in seconds; `nil` while all come round.
    var standstill: Int64? { silence > Self.patience ? silence : nil }

    /// The longest that a loop has not come round, in seconds.
    private var silence: Int64 { Loop.allCases.map(silence(of:)).max() ?? 0 }
}
