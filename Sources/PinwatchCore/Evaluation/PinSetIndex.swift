/// Which pin sets may have anything to say of a host: with many apps most are about other hosts, and judging every host
/// by all of them would be a product.
struct PinSetIndex: Sendable {
    private var places = HostPlaces()

    init(_ pinSets: [PinSet]) {
        for (place, pinSet) in pinSets.enumerated() {
            let policies = pinSet.definition.layers.map(\.policy)
            let isAboutAll = policies.contains { policy in
                !policy.namesHosts || Self.unheardOf.contains { policy.concerns(host: $0) }
            }
            guard !isAboutAll else {
                places.addForAll(place)
                continue
            }
            for policy in policies {
                for entry in policy.hosts { places.add(entry.pattern, at: place) }
            }
        }
    }

    /// Places of the pin sets, in order.
    func about(_ host: String) -> [Int] { places.about(host) }

    /// A name, a single label and an address that no app lists: what concerns one concerns every host of its kind. TrustKit
    /// for Android throws for what is no name of several labels.
    private static let unheardOf = ["listed-nowhere.pinwatch.invalid", "listed-nowhere", "198.51.100.254"]
}
