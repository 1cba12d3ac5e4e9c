internal import PinwatchCore

/// A plan made ready for another client: what that one can say otherwise is written otherwise, and the rest noted.
extension PinPlan {
    /// - Parameter host: Whose pins they are, where the rules bind every host.
    mutating func settle(host: String?, for client: Client) {
        name(host, client)
        keepHeld(by: client)
        leaveOutStars()
        spell(for: client)
        entries = Self.joined(entries) { [$0.host, "\($0.scope) \($0.place) \($0.effect) \($0.expires ?? "")"] }
        if let there = source?.lookUp {
            let here = client.lookUp
            if there == .all, here == .nearest || here == .exact { unite() }
            if there == .nearest, here == .nearest || here == .all { tellShadows(client) }
        }
        if client.lookUp == .exact { keepNamed() }
        keepExceptions(for: client)
        if client.hasOneEntryForAHost { joinHosts(for: client) }
        tellReports(client)
        if source == .wultraIOS || source == .wultraAndroid {
            note("\(word) looks certificates up by their own names, whichever host sends them; here by the host")
        }
        if refusesUnlisted, client != .alamofire, client.lookUp != .everyHost {
            note("a host that is not listed is refused by \(word), and is not pinned here")
        }
    }

    /// The client that the rules are of, as comments name it.
    var word: String { source?.rawValue ?? "the file" }

    private mutating func name(_ host: String?, _ client: Client) {
        guard let host, entries.contains(where: { $0.host.isEmpty }) else { return }
        entries = entries.map { $0.host.isEmpty ? $0.with(host: host) : $0 }
        if client.lookUp != .everyHost { note("\(word) holds every host against these pins; here \(host) alone is") }
    }

    /// A star that stands anywhere but first is no wildcard to any client, and one that stands first is none to most.
    private mutating func leaveOutStars() {
        for entry in entries where entry.host.contains("*") { note(starless(entry)) }
        entries = entries.filter { !$0.host.contains("*") }
    }

    private func starless(_ entry: Entry) -> String {
        switch source {
        case .okhttp, .ktorDarwin:
            "\(entry.name) is left out: the client's builder throws for it, so there the app makes no connection"
        case .wultraIOS, .wultraAndroid: "\(entry.name) is left out: it is the name of a certificate, not of a host"
        case _: "\(entry.name) is left out: \(word) takes the star for a letter, so no host comes to it"
        }
    }

    private mutating func keepHeld(by client: Client) {
        for (index, entry) in entries.enumerated() {
            let kept = entry.pins.filter { Self.holds($0, client) }
            for pin in entry.pins where !kept.contains(pin) {
                note("\(pin) of \(entry.host) is left out: this client compares hashes of another kind")
            }
            entries[index] = entry.with(pins: kept)
        }
        let isLeftOut: (Entry) -> Bool = { $0.pins.isEmpty && $0.effect != .exempt }
        for entry in entries where isLeftOut(entry) { note("\(entry.name) is left out: nothing is pinned for it") }
        entries = entries.filter { !isLeftOut($0) }
    }

    private static func holds(_ pin: String, _ client: Client) -> Bool {
        if pin.hasPrefix("cert-sha256:") {
            return [.generic, .alamofire, .wultraIOS, .wultraAndroid].contains(client)
        }
        if pin.hasPrefix("sha1/") { return [.generic, .okhttp, .okhttp3].contains(client) }
        if pin.hasPrefix("file:") { return client == .generic }
        return client != .wultraIOS && client != .wultraAndroid
    }

    private mutating func spell(for client: Client) {
        guard let source else { return }
        for (index, entry) in entries.enumerated() where entry.host != entry.host.lowercased() {
            if !source.mindsCase {
                entries[index] = entry.with(host: entry.host.lowercased())
            } else if !client.mindsCase {
                note("\(entry.name) matches no host by \(word), to which spelling counts; here it matches in any case")
            }
        }
    }

    /// Entries that are the same but for their pins become one.
    private static func joined(_ entries: [Entry], by key: (Entry) -> [String]) -> [Entry] {
        var (places, kept): ([[String]: Int], [Entry]) = ([:], [])
        var pins: [[String]] = []
        for entry in entries {
            let key = key(entry)
            if let place = places[key] {
                pins[place] += entry.pins
            } else {
                places[key] = kept.count
                kept.append(entry)
                pins.append(entry.pins)
            }
        }
        return zip(kept, pins).map { $0.with(pins: $1.once) }
    }

    /// A client of exact names has no use for what lies below a host, where the host has an entry of its own.
    private mutating func keepNamed() {
        let own = Set(entries.filter(\.includesItself).map(\.host))
        let isBeside: (Entry) -> Bool = { !$0.includesItself && own.contains($0.host) }
        for entry in entries where !entry.includesItself {
            noteExact(entry)
            if !isBeside(entry) { note("\(entry.host) itself is not pinned by \(word), and is here") }
        }
        entries = entries.filter { !isBeside($0) }
    }

    /// What a format can write under a host once alone.
    private mutating func joinHosts(for client: Client) {
        let keepsPlaces = client == .applePinnedDomains
        let key: (Entry) -> String = { $0.host + (keepsPlaces ? " \($0.place)" : "") }
        var (order, groups): ([String], [String: [Entry]]) = ([], [:])
        for entry in entries {
            if groups[key(entry)] == nil { order.append(key(entry)) }
            groups[key(entry), default: []].append(entry)
        }
        entries = order.compactMap { name in (groups[name]).flatMap { one($0) } }
    }

    private mutating func one(_ group: [Entry]) -> Entry? {
        guard let first = group.first, group.count > 1 else { return group.first }
        if Set(group.map { Set($0.pins) }).count > 1, Set(group.map(\.scope)).count > 1 {
            note("by \(word) \(first.host) and the names below it have each their pins; here they take those of both")
        }
        if Set(group.map(\.expires)).count > 1 {
            note("pins of \(first.host) end on different days by \(word); here they end together, or not at all")
        }
        let scopes = group.map(\.scope)
        let isApex = group.contains(where: \.includesItself)
        let scope: Scope =
            scopes.contains(.withAllBelow)
            ? .withAllBelow
            : !scopes.contains(where: \.includesBelow) ? .exact : isApex ? .withOneLabelBelow : .oneLabelBelow
        let isSamePlace = group.allSatisfy { $0.place == first.place }
        return Entry(
            host: first.host, scope: scope, place: isSamePlace ? first.place : .anywhere,
            pins: group.flatMap(\.pins).once,
            expires: group.allSatisfy { $0.expires != nil } ? group.compactMap(\.expires).max() : nil,
            effect: group.contains { $0.effect == .refused } ? .refused : first.effect)
    }

    private mutating func tellReports(_ client: Client) {
        guard !client.canReport else { return }
        for entry in entries where entry.effect == .reported {
            note("the pins of \(entry.name) are reported on and not enforced by \(word); here a mismatch is refused")
        }
    }
}

extension [String] {
    /// Each once, in their order.
    var once: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
