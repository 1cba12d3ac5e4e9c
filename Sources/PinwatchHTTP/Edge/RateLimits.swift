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

    private static func key(_ address: IPAddress) -> [UInt8] { address.client }
}

extension IPAddress {
    /// What counts as one client: an IPv4 address, or an IPv6 /64.
    fileprivate var client: [UInt8] { isIPv6 ? Array(bytes.prefix(8)) : bytes }
}

/// Writes by principal, and by client of those who do not say who they are: twenty a second, four hundred at once.
final class WriteLimit: Sendable {
    private struct Bucket {
        var level: Int64
        var at: Instant
    }

    private enum Writer: Hashable {
        case token(Int64)
        /// On an open route; empty where there is no address.
        case client([UInt8])
        /// Whoever needs no token, for all is open.
        case open
    }

    private let buckets = Mutex<[Writer: Bucket]>([:])
    private static let rate: Int64 = 20
    private static let burst: Int64 = 400
    private static let capacity = 1_024

    /// Takes one write of what a principal may, or on an open route a client.
    ///
    /// - Throws: A ``Problem`` 429 where nothing is left.
    func take(_ principal: Principal?, from address: IPAddress? = nil, now: Instant) throws(Problem) {
        let key: Writer =
            if let principal { principal.tokenID.map { .token($0) } ?? .open } else { .client(address?.client ?? []) }
        let isTaken = buckets.withLock { buckets in
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
