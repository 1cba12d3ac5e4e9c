/// Reads from the spans before a scan which addresses went from one chain to another in it.
struct TransitionReader {
    let history: SpanHistory

    private struct Move: Hashable {
        let from: ChainID
        let to: ChainID
    }

    private var before: [Span] { history.spans }
    private func isRecent(_ instant: Instant) -> Bool { history.isRecent(instant) }

    /// One transition for each pair of chains, in the order of the sightings.
    func transitions(_ sightings: [ChainSighting], currentAddresses: Int) -> [ChainTransition] {
        var order: [Move] = []
        var places: [Move: [ChainSighting.Place]] = [:]
        for sighting in sightings {
            guard let from = chainBefore(sighting) else { continue }
            let move = Move(from: from, to: sighting.chain)
            if places[move] == nil { order.append(move) }
            places[move, default: []].append(sighting.place)
        }
        guard !order.isEmpty else { return [] }
        let unsettled = isUnsettled
        return order.map { move in
            transition(move, places: places[move] ?? [], of: currentAddresses, unsettled: unsettled)
        }
    }

    /// The chain that a sighting's place was on; `nil` where it stayed, or where there is nothing to compare with.
    private func chainBefore(_ sighting: ChainSighting) -> ChainID? {
        // A narrowed hello that gets what the address was seen to serve already tells nothing new.
        if sighting.place.profile.isNarrowed, before.contains(where: { $0.serves(sighting.chain, at: sighting.place) })
        {
            return nil
        }
        let current = before.filter { $0.closedAt == nil && $0.isCurrent(at: sighting.place) }
        guard !current.isEmpty else { return chainOfOthers(sighting) }
        guard !current.contains(where: { $0.chain == sighting.chain }) else { return nil }
        return current.max { left, right in
            let (a, b) = (left.serving(at: sighting.place), right.serving(at: sighting.place))
            return (a?.lastSeen ?? history.at, left.id) < (b?.lastSeen ?? history.at, right.id)
        }?.chain
    }

    /// For an address that is new: the chain that most others serve, if this one is served nowhere yet.
    private func chainOfOthers(_ sighting: ChainSighting) -> ChainID? {
        let open = before.filter { $0.closedAt == nil }
        guard !open.contains(where: { $0.chain == sighting.chain }) else { return nil }
        func servings(_ span: Span) -> Int {
            span.servings.count { $0.current && $0.profile == sighting.place.profile }
        }
        let others = open.filter { servings($0) > 0 }
        let lane = others.filter { $0.family == sighting.family }
        return (lane.isEmpty ? others : lane).max { (servings($0), $1.id) < (servings($1), $0.id) }?.chain
    }

    private func transition(
        _ move: Move, places: [ChainSighting.Place], of currentAddresses: Int, unsettled: Bool
    ) -> ChainTransition {
        let destinations = before.filter { $0.chain == move.to && ($0.closedAt.map(isRecent) ?? true) }
        let addresses = Set(places.map(\.address))
        let cameBack = destinations.contains { span in
            places.contains { place in
                guard let serving = span.serving(at: place) else { return false }
                return !serving.current && isRecent(serving.lastSeen)
            }
        }
        let ahead = destinations.flatMap(\.servings).filter { $0.current && !addresses.contains($0.address) }
        let returned = cameBack || destinations.contains { $0.closedAt != nil }
        let spread = returned ? ahead.contains { wentBefore($0, from: move.from) } : !ahead.isEmpty
        return ChainTransition(
            from: move.from, to: move.to, addresses: addresses.sorted(), of: currentAddresses, returned: returned,
            unsettled: unsettled, spread: spread)
    }

    /// Whether a place that is already on the new chain left the old one within the flap window.
    private func wentBefore(_ serving: Serving, from chain: ChainID) -> Bool {
        before.contains { span in
            guard span.chain == chain, let old = span.serving(at: serving.place) else { return false }
            return !old.current && isRecent(old.lastSeen)
        }
    }

    /// Whether a span closed, an address moved, or a chain joined an older one, within the flap window.
    private var isUnsettled: Bool {
        before.contains { span in
            if let closedAt = span.closedAt { return isRecent(closedAt) }
            if span.servings.contains(where: { !$0.current && isRecent($0.lastSeen) && isReplaced($0, in: span) }) {
                return true
            }
            return isRecent(span.firstSeen) && before.contains { $0.firstSeen < span.firstSeen }
        }
    }

    private func isReplaced(_ serving: Serving, in span: Span) -> Bool {
        before.contains { $0.chain != span.chain && $0.isCurrent(at: serving.place) }
    }
}

extension Span {
    /// Whether it is of this chain, and open at the place's address for any hello.
    fileprivate func serves(_ chain: ChainID, at place: ChainSighting.Place) -> Bool {
        closedAt == nil && self.chain == chain && currentAddresses.contains(place.address)
    }
}
