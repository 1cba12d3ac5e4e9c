/// The store's number for a span.
package struct SpanID: Hashable, Sendable, Comparable {
    package let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    package static func < (left: SpanID, right: SpanID) -> Bool { left.rawValue < right.rawValue }
    package var text: String { String(rawValue) }
}

/// That one address served a span's chain to one hello, from first to last.
package struct Serving: Sendable, Hashable {
    package var address: IPAddress
    package var profile: HelloProfile
    package var firstSeen: Instant
    package var lastSeen: Instant
    /// Whether the address is still taken to serve it: true until it is seen serving something else or retires.
    package var current: Bool

    package init(address: IPAddress, profile: HelloProfile, firstSeen: Instant, lastSeen: Instant, current: Bool) {
        self.address = address
        self.profile = profile
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.current = current
    }
}

/// A chain's time at a target, in one key family's lane.
package struct Span: Sendable, Hashable {
    package var id: SpanID
    package var family: KeyFamily?
    package var chain: ChainID
    package var firstSeen: Instant
    package var lastSeen: Instant
    /// `nil` while open: a span is open exactly if a serving is current.
    package var closedAt: Instant?
    /// Scans that saw it.
    package var scans: Int64
    /// Times it came back within the flap window after it had closed or been superseded.
    package var flaps: Int64
    package var servings: [Serving]

    package init(
        id: SpanID, family: KeyFamily?, chain: ChainID, firstSeen: Instant, lastSeen: Instant, closedAt: Instant?,
        scans: Int64, flaps: Int64, servings: [Serving]
    ) {
        self.id = id
        self.family = family
        self.chain = chain
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.closedAt = closedAt
        self.scans = scans
        self.flaps = flaps
        self.servings = servings
    }

    /// Addresses that serve its chain now, whatever the hello; none once it is closed.
    package var currentAddresses: Set<IPAddress> { Set(servings.filter(\.current).map(\.address)) }
}
