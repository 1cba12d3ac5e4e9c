internal import PinwatchCore

/// A scan between its opening and its last address.
struct OpenScan {
    let target: Target
    let hellos: HelloPlan
    let startedAt: Instant
    /// The proxy of the settings that the scan began by.
    let proxy: EgressProxy?
    /// What the target is shown if it asks, of the settings that the scan began by.
    private let client: ClientOffer?
    /// The proxy with its addresses, once they are known.
    private var route: ProxyRoute?
    /// In the order resolved; empty until then.
    private var addresses: [IPAddress] = []
    private var allowed: [IPAddress]?
    /// By address; a blocked one has its observation from the start.
    private var observations: [[Observation]] = []
    /// Indices of addresses not yet given out, the next one last.
    private var pending: [Int] = []
    private var unfinished = 0
    /// Addresses given out and not back.
    private(set) var running = 0
    /// Whether it stands in the line of scans that want a slot.
    var isInLine = false

    init(target: Target, hellos: HelloPlan, startedAt: Instant, proxy: EgressProxy?, client: ClientOffer?) {
        self.client = client
        self.proxy = proxy
        self.target = target
        self.hellos = hellos
        self.startedAt = startedAt
    }

    /// The target's own, if it has one.
    var policy: AddressPolicy? { target.settings.addressPolicy }
    var hasPending: Bool { !pending.isEmpty }
    var isFinished: Bool { unfinished == 0 }

    mutating func resolved(_ addresses: [IPAddress], rules: AddressRules, now: Instant) {
        self.addresses = addresses
        let blocked = addresses.map { rules.rule(against: $0) }
        observations = zip(addresses, blocked).map { address, rule in
            rule.map { [Observation(at: now, address: address, profile: .phone, outcome: .blockedByPolicy(rule: $0))] }
                ?? []
        }
        pending = blocked.indices.reversed().filter { blocked[$0] == nil }
        allowed = pending.reversed().map { addresses[$0] }
        unfinished = pending.count
    }

    mutating func failed(_ failure: ResolveFailure, now: Instant) {
        let outcome = Outcome.resolveFailed(message: failure.message)
        observations = [[Observation(at: now, address: nil, profile: .phone, outcome: outcome)]]
    }

    private func isThroughProxy(_ index: Int) -> Bool {
        proxy?.carries(target.host, at: addresses[index]) ?? false
    }

    /// The proxy, where an address is to be visited through it.
    var proxyNeeded: EgressProxy? { pending.contains { isThroughProxy($0) } ? proxy : nil }

    mutating func proxyResolved(_ proxy: EgressProxy, _ addresses: [IPAddress]) {
        route = ProxyRoute(proxy: proxy, addresses: addresses)
    }

    /// Without the proxy's address nothing can be said of those that are behind it.
    mutating func proxyFailed(_ proxy: EgressProxy, _ failure: ResolveFailure, now: Instant) {
        for index in pending where isThroughProxy(index) {
            let why = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
            let outcome = Outcome.proxyUnreachable(
                why, place: proxy.place, to: addresses[index].place(port: target.identity.port))
            observations[index] = [
                Observation(at: now, address: addresses[index], profile: .phone, outcome: outcome)
            ]
        }
        pending = pending.filter { !isThroughProxy($0) }
        unfinished = pending.count
    }

    mutating func nextJob(scan: Int, timeoutMilliseconds: Int64) -> AddressJob? {
        guard let index = pending.popLast() else { return nil }
        running += 1
        return AddressJob(
            scan: scan, index: index, address: addresses[index], port: target.identity.port,
            serverName: target.identity.sni, startTLS: target.identity.startTLS,
            proxy: isThroughProxy(index) ? route : nil, client: client,
            hostText: target.identity.clientHost, hellos: hellos,
            timeoutMilliseconds: timeoutMilliseconds)
    }

    mutating func finish(_ result: AddressResult) {
        observations[result.index] = result.observations
        running -= 1
        unfinished -= 1
    }

    func scan(endedAt: Instant) -> Scan {
        Scan(
            target: target, hellos: hellos, startedAt: startedAt, endedAt: endedAt, resolved: allowed,
            observations: observations.flatMap { $0 })
    }
}
