/// That a scan saw one address answer one hello with a chain.
struct ChainSighting: Hashable {
    /// What an address shows one hello: the place that a chain is current at.
    struct Place: Hashable {
        let address: IPAddress
        let profile: HelloProfile
    }

    let place: Place
    let chain: ChainID
    let family: KeyFamily?
    /// Whether a client that sends this hello would have got through.
    let completed: Bool

    /// Places whose hello asked for keys of one family alone and learnt that there are none.
    static func refusals(of scan: Scan) -> Set<Place> {
        Set(
            scan.observations.compactMap { observation in
                guard let address = observation.address, case .noSuchKeyFamily = observation.outcome else { return nil }
                return Place(address: address, profile: observation.profile)
            })
    }

    /// The sightings of a scan, in its order, `legacy` after every other hello.
    static func all(of scan: Scan) -> [ChainSighting] {
        let sightings = scan.observations.compactMap { observation -> ChainSighting? in
            guard let address = observation.address, let chain = observation.chain else { return nil }
            return ChainSighting(
                place: Place(address: address, profile: observation.profile), chain: chain.id,
                family: observation.keyFamily, completed: observation.outcome.isCompleted)
        }
        return sightings.filter { $0.place.profile != .legacy } + sightings.filter { $0.place.profile == .legacy }
    }
}

extension Outcome {
    /// Whether the handshake came to its end, apart from a client certificate that only some clients hold.
    fileprivate var isCompleted: Bool {
        switch self {
        case .ok, .clientCertificateRequired: true
        case .resolveFailed, .connectRefused, .connectTimeout, .unreachable, .proxyRefused, .startTLSRefused,
            .handshakeTimeout, .closed, .reset, .notTLS, .alert, .noCertificate, .noSuchKeyFamily,
            .protocolUnsupported, .certificateTooLarge, .certificateMalformed, .blockedByPolicy:
            false
        }
    }
}

extension Serving {
    var place: ChainSighting.Place { ChainSighting.Place(address: address, profile: profile) }
}

extension Span {
    /// The serving at a place, current or not.
    func serving(at place: ChainSighting.Place) -> Serving? { servings.first { $0.place == place } }

    func isCurrent(at place: ChainSighting.Place) -> Bool { serving(at: place)?.current ?? false }
}
