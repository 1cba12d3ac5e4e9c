/// A target's spans while one scan, or retirement, is written into them.
struct SpanLedger {
    let history: SpanHistory
    private var spans: [Span]
    /// Indexes into `spans` by what happened to them.
    private var seen: Set<Int> = []
    private var flapped: Set<Int> = []
    private var moved: Set<Int> = []
    /// By span, the indexes of its servings that came or moved; servings are only ever appended.
    private var movedServings: [Int: Set<Int>] = [:]

    init(_ spans: [Span], at: Instant, windowSeconds: Int64) {
        history = SpanHistory(spans: spans, at: at, windowSeconds: windowSeconds)
        self.spans = spans
    }

    private var before: [Span] { history.spans }
    private var at: Instant { history.at }

    /// Writes one sighting into its chain's span, which it opens or reopens where need be.
    mutating func see(_ sighting: ChainSighting) {
        let index = self.index(of: sighting.chain) ?? open(sighting)
        if seen.insert(index).inserted { spans[index].scans += 1 }
        spans[index].lastSeen = max(spans[index].lastSeen, at)
        if spans[index].closedAt != nil {
            spans[index].closedAt = nil
            countFlap(index)
        }
        let place = sighting.place
        if let known = spans[index].servings.firstIndex(where: { $0.place == place }) {
            let serving = spans[index].servings[known]
            if !serving.current {
                moved.insert(index)
                let returns = before.contains { $0.chain != sighting.chain && $0.isCurrent(at: place) }
                if returns, history.isRecent(serving.lastSeen) { countFlap(index) }
            }
            spans[index].servings[known].current = true
            spans[index].servings[known].lastSeen = max(serving.lastSeen, at)
            movedServings[index, default: []].insert(known)
        } else {
            moved.insert(index)
            movedServings[index, default: []].insert(spans[index].servings.count)
            spans[index].servings.append(
                Serving(address: place.address, profile: place.profile, firstSeen: at, lastSeen: at, current: true))
        }
    }

    /// Ends what the sighted places served before, and what `refused` places served. Chains that alternate at a place both
    /// stay current there.
    ///
    /// What a phone is newly given, with a key of one family, ends what the hello narrowed to that family got before,
    /// unless that hello was sent too: it would get the new one.
    mutating func supersede(by sightings: [ChainSighting], refused: Set<ChainSighting.Place>) {
        let chains = Dictionary(grouping: sightings, by: \.place).mapValues { Set($0.map(\.chain)) }
        let legacyEnds = Set(
            sightings.filter { $0.place.profile == .phone && $0.completed }
                .map { ChainSighting.Place(address: $0.place.address, profile: .legacy) }
        ).subtracting(chains.keys)
        var narrowed: [ChainSighting.Place: (phone: ChainSighting.Place, chain: ChainID)] = [:]
        for sighting in sightings where sighting.place.profile == .phone {
            guard let profile = HelloProfile(narrowedTo: sighting.family) else { continue }
            let place = ChainSighting.Place(address: sighting.place.address, profile: profile)
            if chains[place] == nil { narrowed[place] = (sighting.place, sighting.chain) }
        }
        let history = history
        endServings { span, serving in
            if legacyEnds.contains(serving.place) || refused.contains(serving.place) { return true }
            if let (phone, chain) = narrowed[serving.place], let old = span.serving(at: phone) {
                return span.chain != chain && !history.alternates(span, at: old)
            }
            guard let seen = chains[serving.place], !seen.contains(span.chain) else { return false }
            return !history.alternates(span, at: serving)
        }
    }

    /// Ends servings that `isGone` names, whatever else was seen.
    mutating func retireAddresses(where isGone: (Serving) -> Bool) {
        endServings { _, serving in isGone(serving) }
    }

    /// Ends servings that were kept for alternating, once the flap window has passed and another chain is seen in place.
    mutating func retireOutlived() {
        let history = history
        endServings { span, serving in history.isOutlived(serving, of: span) }
    }

    private mutating func endServings(where ends: (Span, Serving) -> Bool) {
        for index in spans.indices where spans[index].closedAt == nil {
            for place in spans[index].servings.indices where spans[index].servings[place].current {
                guard ends(spans[index], spans[index].servings[place]) else { continue }
                spans[index].servings[place].current = false
                movedServings[index, default: []].insert(place)
                moved.insert(index)
            }
            if !spans[index].servings.contains(where: \.current) {
                spans[index].closedAt = max(at, spans[index].lastSeen)
                moved.insert(index)
            }
        }
    }

    /// The chain's open span, else the one that closed last within the flap window.
    private func index(of chain: ChainID) -> Int? {
        let candidates = spans.indices.filter { index in
            spans[index].chain == chain && (spans[index].closedAt.map(history.isRecent) ?? true)
        }
        return candidates.first { spans[$0].closedAt == nil }
            ?? candidates.max { (spans[$0].lastSeen, spans[$0].id) < (spans[$1].lastSeen, spans[$1].id) }
    }

    private mutating func open(_ sighting: ChainSighting) -> Int {
        spans.append(
            Span(
                id: SpanID(0), family: sighting.family, chain: sighting.chain, firstSeen: at, lastSeen: at,
                closedAt: nil, scans: 0, flaps: 0, servings: []))
        return spans.count - 1
    }

    /// Counts at most one flap of a span in a scan.
    private mutating func countFlap(_ index: Int) {
        guard flapped.insert(index).inserted else { return }
        spans[index].flaps += 1
        moved.insert(index)
    }

    /// The spans that were touched, in the order given, new ones last.
    var entries: [SpanUpdate.Entry] {
        spans.indices.compactMap { index in
            guard let change = change(of: index) else { return nil }
            let servings = movedServings[index, default: []].sorted().map { spans[index].servings[$0] }
            return SpanUpdate.Entry(span: spans[index], change: change, moved: servings)
        }
    }

    private func change(of index: Int) -> SpanUpdate.Change? {
        guard index < before.count else { return .opened }
        switch (before[index].closedAt, spans[index].closedAt) {
        case (.some, .none): return .reopened
        case (.none, .some): return .closed
        case (.some, .some), (.none, .none):
            return moved.contains(index) ? .servingsChanged : seen.contains(index) ? .seen : nil
        }
    }

    /// Addresses with a current serving.
    var currentAddresses: Int {
        Set(spans.lazy.flatMap(\.servings).filter(\.current).map(\.address)).count
    }
}
