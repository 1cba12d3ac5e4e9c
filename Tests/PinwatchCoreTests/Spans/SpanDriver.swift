import PinwatchCore
import Testing

/// Plays scans into the book as a store would: what was touched is kept, with a number, and closed spans stay at hand.
struct SpanDriver {
    static let window: Int64 = 3_600
    private(set) var spans: [Span] = []
    private var lastID: Int64 = 0
    private let handsOverReversed: Bool
    private let forgetsOldServings: Bool
    let target = Target(
        id: TargetID(1),
        settings: TargetSettings(
            identity: TargetIdentity(
                host: .name(HostName(checked: "a.test")), port: 443, sni: HostName(checked: "a.test"), startTLS: nil)))

    init(handsOverReversed: Bool = false, forgetsOldServings: Bool = false) {
        self.handsOverReversed = handsOverReversed
        self.forgetsOldServings = forgetsOldServings
    }

    /// One observation: an address by its last byte, a chain by its letter, or none.
    struct Seen {
        var address: UInt8
        var chain: Character?
        var profile = HelloProfile.phone
        var outcome: Outcome?
        var family = KeyFamily.ecdsa

        init(
            _ address: UInt8, _ chain: Character?, _ profile: HelloProfile = .phone, outcome: Outcome? = nil,
            family: KeyFamily = .ecdsa
        ) {
            self.address = address
            self.chain = chain
            self.profile = profile
            self.outcome = outcome
            self.family = family
        }
    }

    static func address(_ last: UInt8) throws -> IPAddress { try #require(IPAddress(bytes: [192, 0, 2, last])) }

    static func digest(_ letter: Character) throws -> SHA256Digest {
        try #require(SHA256Digest([UInt8](repeating: letter.asciiValue ?? 0, count: 32)))
    }

    static func chain(_ letter: Character) throws -> ChainID { ChainID(digest: try digest(letter)) }

    func scan(_ at: Int64, _ seen: [Seen], resolves: Bool = true) throws -> Scan {
        let end = Instant(unixSeconds: at)
        let observations = try seen.map { one in
            var observation = Observation(
                at: end, address: try Self.address(one.address), profile: one.profile,
                outcome: one.outcome ?? (one.chain == nil ? .connectTimeout(message: "no answer") : .ok))
            if let letter = one.chain {
                let certificate = Certificate(der: [], fingerprint: try Self.digest(letter))
                observation.chain = Chain(id: try Self.chain(letter), certificates: [certificate])
                observation.keyFamily = one.family
            }
            return observation
        }
        return Scan(
            target: target, startedAt: end - 1, endedAt: end,
            resolved: resolves ? observations.compactMap(\.address) : nil, observations: observations)
    }

    @discardableResult
    mutating func play(_ at: Int64, _ seen: [Seen], resolves: Bool = true) throws -> SpanUpdate {
        let scan = try scan(at, seen, resolves: resolves)
        let update = SpanBook.apply(scan, to: recent(scan.endedAt), flapWindowSeconds: Self.window)
        keep(update)
        return update
    }

    /// One address, one chain.
    @discardableResult
    mutating func play(_ at: Int64, _ letter: Character?) throws -> SpanUpdate { try play(at, [Seen(1, letter)]) }

    @discardableResult
    mutating func retire(resolved: [IPAddress: Instant], now: Int64) -> SpanUpdate {
        let update = SpanBook.retire(
            spans.filter { $0.closedAt == nil }, resolved: resolved, flapWindowSeconds: Self.window,
            now: Instant(unixSeconds: now))
        keep(update)
        return update
    }

    /// What a store would hand over at a time: open spans, and those that closed within the window.
    private func recent(_ at: Instant) -> [Span] {
        var recent = spans.filter { $0.closedAt.map { at.seconds(since: $0) <= Self.window } ?? true }
        if forgetsOldServings {
            for index in recent.indices {
                recent[index].servings.removeAll { !$0.current && at.seconds(since: $0.lastSeen) > Self.window }
            }
        }
        return handsOverReversed ? recent.reversed() : recent
    }

    private mutating func keep(_ update: SpanUpdate) {
        for entry in update.entries {
            if let known = spans.firstIndex(where: { $0.id == entry.span.id }) {
                spans[known] = entry.span
            } else {
                lastID += 1
                var span = entry.span
                span.id = SpanID(lastID)
                spans.append(span)
            }
        }
    }

    var open: [Span] { spans.filter { $0.closedAt == nil } }
    func letter(_ chain: ChainID) -> Character { Character(UnicodeScalar(chain.digest.bytes[0])) }
    /// `A B*`: the letters of the open spans in order of opening, a star for each flap.
    var picture: String {
        open.map { String(letter($0.chain)) + String(repeating: "*", count: Int($0.flaps)) }.joined(separator: " ")
    }
}

extension ChainTransition {
    /// `A>B 1,2/3 returned unsettled spread`.
    var picture: String {
        func letter(_ chain: ChainID) -> String { String(UnicodeScalar(chain.digest.bytes[0])) }
        let words = [returned ? "returned" : nil, unsettled ? "unsettled" : nil, spread ? "spread" : nil]
        let places = addresses.map { String($0.bytes[3]) }.joined(separator: ",") + "/\(of)"
        return ([letter(from) + ">" + letter(to), places] + words.compactMap { $0 }).joined(separator: " ")
    }
}
