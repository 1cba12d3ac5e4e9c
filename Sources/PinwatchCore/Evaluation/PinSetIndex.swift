/// Which pin sets may have anything to say of a host: with many apps most are about other hosts, and judging every host
/// by all of them would be a product.
struct PinSetIndex: Sendable {
    private var places = HostPlaces()

    init(_ pinSets: [PinSet]) {
        for (place, pinSet) in pinSets.enumerated() {
            let policies = pinSet.definition.layers.map(\.policy)
            guard policies.allSatisfy({ $0.namesHosts && !$0.concerns(host: Self.unheardOf) }) else {
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

    /// A name that no app lists: what concerns it concerns every host.
    private static let unheardOf = "listed-nowhere.pinwatch.invalid"
}
