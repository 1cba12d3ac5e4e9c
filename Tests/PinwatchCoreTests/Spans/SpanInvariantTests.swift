import PinwatchCore
import Testing

/// Random histories, the same in every run.
struct SpanInvariantTests {
    private struct SplitMix64: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    private func seen(_ random: inout SplitMix64) -> [SpanDriver.Seen] {
        (1...4 as ClosedRange<UInt8>).compactMap { address -> SpanDriver.Seen? in
            guard Int.random(in: 0..<8, using: &random) > 0 else { return nil }
            let letter = "AABBCD.".randomElement(using: &random)
            let profile: HelloProfile = Int.random(in: 0..<6, using: &random) == 0 ? .legacy : .phone
            return SpanDriver.Seen(address, letter == "." ? nil : letter, profile)
        }
    }

    @Test(arguments: 1...40)
    func `open exactly while something is current, one open span a chain, time never runs back`(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var driver = SpanDriver()
        var at: Int64 = 0
        for _ in 0..<120 {
            at += Int64.random(in: 1...2_000, using: &random)
            let before = Dictionary(uniqueKeysWithValues: driver.spans.map { ($0.id, $0) })
            let update = try driver.play(at, seen(&random))
            if Int.random(in: 0..<10, using: &random) == 0 {
                driver.retire(resolved: [try SpanDriver.address(1): Instant(unixSeconds: at)], now: at)
            }
            for span in driver.spans {
                #expect((span.closedAt == nil) == span.servings.contains(where: \.current))
                #expect(span.firstSeen <= span.lastSeen && span.lastSeen.unixSeconds <= at)
                #expect(Set(span.servings.map { "\($0.address) \($0.profile)" }).count == span.servings.count)
                guard let old = before[span.id] else { continue }
                #expect(old.lastSeen <= span.lastSeen && old.flaps <= span.flaps && old.scans <= span.scans)
            }
            #expect(Set(driver.open.map(\.chain)).count == driver.open.count)
            #expect(update.transitions.allSatisfy { $0.from != $0.to && !$0.addresses.isEmpty })
            #expect(update.transitions.allSatisfy { $0.addresses.count <= $0.of })
        }
    }

    private func moves(_ update: SpanUpdate) -> [[String]] {
        update.entries.map { $0.moved.map { "\($0.address) \($0.profile) \($0.current)" }.sorted() }
    }

    @Test(arguments: 1...10)
    func `servings that ended before the flap window make no difference`(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var whole = SpanDriver()
        var forgetful = SpanDriver(forgetsOldServings: true)
        for step in 0..<120 {
            let scan = seen(&random)
            let at = Int64(step) * 1_500
            let (one, other) = (try whole.play(at, scan), try forgetful.play(at, scan))
            #expect(one.transitions == other.transitions && one.entries.map(\.change) == other.entries.map(\.change))
            #expect(moves(one) == moves(other))
            #expect(whole.picture == forgetful.picture)
        }
    }

    @Test(arguments: 1...10)
    func `the order in which a store hands over the spans makes no difference`(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var straight = SpanDriver()
        var reversed = SpanDriver(handsOverReversed: true)
        for step in 0..<60 {
            let scan = seen(&random)
            let at = Int64(step) * 600
            #expect(try straight.play(at, scan).transitions == reversed.play(at, scan).transitions)
            #expect(straight.spans == reversed.spans)
        }
    }
}
