internal import FoundationEssentials
internal import Glibc
internal import PinwatchCore
internal import Synchronization

/// Time that the benchmark moves on itself: a period passes between two passes, however fast they run.
final class PeriodClock: Sendable {
    private let seconds: Atomic<Int64>

    init() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        seconds = Atomic(Int64(time.tv_sec))
    }

    func now() -> Instant { Instant(unixSeconds: seconds.load(ordering: .relaxed)) }
    func pass(_ period: Int64) { seconds.add(period, ordering: .relaxed) }
}

/// A reading of what the process has used so far.
struct Usage {
    /// User and system time of all threads (getrusage(2)), seconds.
    let cpu: Double
    /// CLOCK_MONOTONIC, seconds.
    let wall: Double
    /// Bytes that the kernel was given to write to disks (proc(5), `write_bytes` of /proc/self/io).
    let written: Double

    static func now() -> Usage {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Usage(
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            wall: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9, written: writtenBytes())
    }

    /// The most that was resident at any time so far (getrusage(2)).
    static func peakKibibytes() -> Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    private static func writtenBytes() -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
        return line.flatMap { Double($0.dropFirst("write_bytes: ".count)) } ?? 0
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}

extension [Double] {
    /// The value that this share of all does not exceed; 0 of none.
    func percentile(_ share: Int) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, count * share / 100)]
    }
}
