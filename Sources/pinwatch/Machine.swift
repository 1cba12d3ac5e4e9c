internal import CLinux
internal import Glibc
internal import PinwatchCore

/// The machine's clock, environment and randomness: read here and handed on, nowhere else.
enum Machine {
    static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(unixSeconds: Int64(time.tv_sec))
    }

    /// Processors that are online: sysconf(3).
    static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Bytes from the operating system's generator.
    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// The time at which it was made, moved on by a clock that nobody sets and that counts the machine's sleep too
/// (CLOCK_BOOTTIME, clock_gettime(2)).
struct SteadyClock: Sendable {
    private let start = Machine.now()
    private let boot = SteadyClock.sinceBoot()

    func now() -> Instant { start + (Self.sinceBoot() - boot) }

    private static func sinceBoot() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec)
    }
}
