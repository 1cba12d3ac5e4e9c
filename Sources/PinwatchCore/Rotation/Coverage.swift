/// What is pinned and not watched: hosts that release builds pin and no target stands for.
package struct Coverage: Sendable {
    package struct Unscanned: Sendable {
        /// As the policies write it, wildcards included.
        package let host: String
        /// In the order of the pin sets.
        package let pinSets: [PinSet]

        package init(host: String, pinSets: [PinSet]) {
            self.host = host
            self.pinSets = pinSets
        }
    }

    /// By host.
    package let unscanned: [Unscanned]

    /// How many targets below one name are asked whether a pattern applies to them.
    private static let samples = 64

    /// Every target is entered under the names above it, and each pattern looks only there, so that many targets and
    /// many patterns are no product.
    ///
    /// - Parameter hosts: The targets' hosts as apps name them.
    package init(of pinSets: [PinSet], watched hosts: some Sequence<String>, now: Instant) {
        var below: [String: [String]] = [:]
        for host in Set(hosts) {
            var name: String? = HostPattern.normalised(host)
            while let suffix = name {
                if below[suffix, default: []].count < Self.samples { below[suffix, default: []].append(host) }
                name = HostPattern.parent(of: suffix)
            }
        }
        // A name's own target must be among those asked, however many there are below it.
        for host in Set(hosts) {
            let name = HostPattern.normalised(host)
            if !(below[name]?.contains(host) ?? false) { below[name, default: []].append(host) }
        }
        var found: [String: [PinSet]] = [:]
        for pinSet in pinSets where pinSet.identity.variant == .release && pinSet.identity.stack == "default" {
            for host in Self.missing(in: pinSet.definition, below: below, now: now) {
                found[host, default: []].append(pinSet)
            }
        }
        unscanned = found.map { Unscanned(host: $0.key, pinSets: $0.value) }.sorted { $0.host < $1.host }
    }

    private static func missing(
        in definition: PinSetDefinition, below: [String: [String]], now: Instant
    ) -> Set<String> {
        var missing: Set<String> = []
        for policy in definition.layers.map(\.policy) where policy.namesHosts {
            for entry in policy.hosts where !entry.pins.isEmpty && (entry.expires.map { now <= $0 } ?? true) {
                let pins = Set(entry.pins)
                let covered = (below[HostPattern.base(of: entry.pattern)] ?? []).contains { host in
                    !pins.isDisjoint(with: policy.pins(for: host, now: now))
                }
                if !covered { missing.insert(entry.pattern) }
            }
        }
        return missing
    }
}
