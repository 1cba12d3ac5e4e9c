internal import PinwatchCore

/// A scan's way through an egress proxy whose addresses are known.
struct ProxyRoute: Sendable, Hashable {
    let proxy: EgressProxy
    /// Where the proxy itself is, in the order to be tried; at least one.
    let addresses: [IPAddress]

    var place: String { proxy.place }
}
