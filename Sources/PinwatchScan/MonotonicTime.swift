internal import Glibc

/// Nanoseconds of CLOCK_MONOTONIC: for deadlines and durations, never for dates.
struct MonotonicTime: Hashable, Comparable, Sendable {
    let nanoseconds: Int64

    init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    static func now() -> MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func adding(milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + milliseconds * 1_000_000)
    }

    /// Whole milliseconds from `earlier`, rounded to the nearest.
    func milliseconds(since earlier: MonotonicTime) -> Int64 {
        (nanoseconds - earlier.nanoseconds + 500_000) / 1_000_000
    }

    /// A wait for poll(2) and epoll_wait(2): milliseconds rounded up, so that the time has come when the wait is over.
    func wait(until deadline: MonotonicTime) -> Int32 {
        let left = deadline.nanoseconds - nanoseconds
        guard left > 0 else { return 0 }
        return Int32(clamping: (left + 999_999) / 1_000_000)
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
