internal import PinwatchCore

/// What a name resolved to.
struct Resolution: Hashable {
    /// Each once, in the order found.
    var addresses: [IPAddress] = []
    /// The shortest time to live of the records; 0 for what is not from DNS.
    var lifetimeSeconds: Int64 = 0
}

/// Resolutions whose time to live is not over, so that a name which many targets share, or which is scanned often, is
/// not asked for more often than its zone wants.
struct KnownResolutions {
    /// However long a record may be kept, a name that is moved is to be noticed.
    static let longestSeconds: Int64 = 300
    private static let limit = 100_000

    private struct Entry {
        let addresses: [IPAddress]
        let end: MonotonicTime
    }

    private var entries: [HostName: Entry] = [:]

    func addresses(of name: HostName, at now: MonotonicTime) -> [IPAddress]? {
        guard let entry = entries[name], now < entry.end else { return nil }
        return entry.addresses
    }

    mutating func keep(_ resolution: Resolution, of name: HostName, at now: MonotonicTime) {
        let seconds = min(resolution.lifetimeSeconds, Self.longestSeconds)
        guard seconds > 0 else {
            entries[name] = nil
            return
        }
        if entries.count >= Self.limit, entries[name] == nil {
            entries = entries.filter { now < $0.value.end }
            // Where all of it is fresh it begins anew: to look through it for each name would cost more than to ask.
            if entries.count >= Self.limit { entries = [:] }
        }
        entries[name] = Entry(addresses: resolution.addresses, end: now.adding(milliseconds: seconds * 1_000))
    }
}
