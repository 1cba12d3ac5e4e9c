internal import PinwatchCore
internal import Synchronization

/// Failed authentications by client: ten a minute, then nobody is told whether a try was good.
///
/// A client is an IPv4 address or an IPv6 /64, which is what one subscriber holds.
final class FailureLimit: Sendable {
    private struct Window {
        let start: Instant
        var count = 0
    }

    private let windows = Mutex<[[UInt8]: Window]>([:])
    private let allowed: Int
    private let capacity: Int
    private static let seconds: Int64 = 60

    /// - Parameter capacity: Clients that are remembered at once; beyond it the oldest windows are forgotten.
    init(allowed: Int = 10, capacity: Int = 4_096) {
        self.allowed = allowed
        self.capacity = capacity
    }

    /// - Throws: A ``Problem`` 429 while a client has failed too often.
    func check(_ address: IPAddress?, now: Instant) throws(Problem) {
        guard let address else { return }
        let window = windows.withLock { $0[Self.key(address)] }
        guard let window, window.count >= allowed, Self.isOpen(window, now) else { return }
        let wait = Self.seconds - now.seconds(since: window.start)
        throw Problem(
            429, "Too many failed sign-ins came from your address. Try again in \(wait) seconds.",
            headers: [.init("Retry-After", String(wait))])
    }

    func failed(_ address: IPAddress?, now: Instant) {
        guard let address else { return }
        windows.withLock { windows in
            let key = Self.key(address)
            if let window = windows[key], Self.isOpen(window, now) {
                windows[key]?.count += 1
                return
            }
            if windows.count >= capacity, windows[key] == nil { Self.forget(&windows, now) }
            windows[key] = Window(start: now, count: 1)
        }
    }

    /// How many clients are remembered.
    var count: Int { windows.withLock { $0.count } }

    private static func isOpen(_ window: Window, _ now: Instant) -> Bool {
        (0..<seconds).contains(now.seconds(since: window.start))
    }

    private static func forget(_ windows: inout [[UInt8]: Window], _ now: Instant) {
        let before = windows.count
        windows = windows.filter { isOpen($0.value, now) }
        if windows.count == before, let oldest = windows.min(by: { $0.value.start < $1.value.start })?.key {
            windows[oldest] = nil
        }
    }

    private static func key(_ address: IPAddress) -> [UInt8] {
        address.isIPv6 ? Array(address.bytes.prefix(8)) : address.bytes
    }
}

/// Writes by principal: twenty a second, four hundred at once.
final class WriteLimit: Sendable {
    private struct Bucket {
        var level: Int64
        var at: Instant
    }

    /// By token; 0 for whoever has none.
    private let buckets = Mutex<[Int64: Bucket]>([:])
    private static let rate: Int64 = 20
    private static let burst: Int64 = 400
    private static let capacity = 1_024

    /// Takes one write of what a principal may.
    ///
    /// - Throws: A ``Problem`` 429 where nothing is left.
    func take(_ principal: Principal, now: Instant) throws(Problem) {
        let isTaken = buckets.withLock { buckets in
            let key = principal.tokenID ?? 0
            if buckets[key] == nil, buckets.count >= Self.capacity {
                buckets = buckets.filter { Self.level($0.value, now) < Self.burst }
                if buckets.count >= Self.capacity { buckets = [:] }
            }
            var bucket = buckets[key] ?? Bucket(level: Self.burst, at: now)
            bucket = Bucket(level: Self.level(bucket, now), at: now)
            let isTaken = bucket.level > 0
            if isTaken { bucket.level -= 1 }
            buckets[key] = bucket
            return isTaken
        }
        guard isTaken else {
            throw Problem(
                429, "Too many changes at once: \(Self.rate) a second are taken. Go on more slowly.",
                headers: [.init("Retry-After", "1")])
        }
    }

    private static func level(_ bucket: Bucket, _ now: Instant) -> Int64 {
        let seconds = min(max(now.seconds(since: bucket.at), 0), burst)
        return min(bucket.level + seconds * rate, burst)
    }
}
