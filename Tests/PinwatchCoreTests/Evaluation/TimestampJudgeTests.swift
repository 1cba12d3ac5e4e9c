import PinwatchCore
import Testing

/// Leaves `A` and `B` hold two timestamps, `X` and `Y` none, `U` cannot be read.
struct TimestampJudgeTests {
    typealias Shown = TimestampJudge.Shown
    private let driver = SpanDriver()

    private func leaf(_ chain: ChainID) throws -> CertificateSummary? {
        var summary = CertificateSummary(fingerprint: chain.digest)
        for letter in "ABXYU" where try SpanDriver.chain(letter) == chain {
            summary.scts = "AB".contains(letter) ? 2 : letter == "U" ? nil : 0
        }
        return summary
    }

    private func scan(_ now: (chain: Character, scts: Int), on addresses: [UInt8] = [1]) throws -> Scan {
        let scan = try driver.scan(10_000, addresses.map { .init($0, now.chain) })
        let observations = scan.observations.map { observation in
            var observation = observation
            observation.scts = now.scts
            return observation
        }
        return Scan(
            target: scan.target, startedAt: scan.startedAt, endedAt: scan.endedAt, resolved: scan.resolved,
            observations: observations)
    }

    private func event(
        _ scan: Scan, after last: (chain: Character, scts: Int)?, spans: [Span] = [], told: Int64? = nil
    ) throws -> Event? {
        try TimestampJudge.event(
            of: scan, before: spans, flapWindowSeconds: SpanDriver.window,
            shown: { _ in try last.map { Shown(chain: try SpanDriver.chain($0.chain), scts: $0.scts) } },
            leaf: { try leaf($0) }, lastTold: { told.map { Instant(unixSeconds: $0) } })
    }

    @Test(
        arguments: [
            (("A", 0), ("X", 0)), (("A", 3), ("Y", 0)), (("X", 2), ("X", 0)), (("X", 1), ("Y", 0)),
        ] as [((Character, Int), (Character, Int))])
    func `a leaf without any timestamp where the last came with some is told`(
        before: (Character, Int), now: (Character, Int)
    ) throws {
        let found = try #require(try event(scan(now, on: [1, 2]), after: before))
        #expect(found.kind == .sctDropped && !found.quiet && found.targetID == driver.target.id)
        #expect(found.summary.contains("no signed certificate timestamp, on all 2 addresses"))
        #expect(found.evidence.text.contains(#""addresses":["192.0.2.1","192.0.2.2"],"of":2"#))
    }

    @Test(
        arguments: [
            (nil, ("X", 0)), (("X", 0), ("X", 0)), (("X", 0), ("Y", 0)), (("A", 0), ("B", 0)), (("A", 2), ("A", 0)),
            (("A", 0), ("X", 1)), (("X", 1), ("A", 0)), (("A", 0), ("U", 0)), (("U", 0), ("X", 0)),
        ] as [((Character, Int)?, (Character, Int))])
    func `what still has one, never had one or cannot be read is no news`(
        before: (Character, Int)?, now: (Character, Int)
    ) throws {
        #expect(try event(scan(now), after: before) == nil)
    }

    @Test func `an address without a chain says nothing`() throws {
        let silent = try driver.scan(10_000, [.init(1, nil)])
        #expect(try event(silent, after: ("A", 0)) == nil)
    }

    @Test(arguments: [("X", 0), ("A", 1), ("Y", 1)] as [(Character, Int)])
    func `a narrowed hello tells only of a chain that phones do not get`(phone: Character, count: Int) throws {
        let scan = try driver.scan(10_000, [.init(1, phone), .init(1, "X", .rsa)])
        let found = try TimestampJudge.event(
            of: scan, before: [], flapWindowSeconds: SpanDriver.window,
            shown: { observation in
                let last = Shown(chain: try SpanDriver.chain("A"), scts: 0)
                return observation.profile == .rsa ? last : Shown(chain: try SpanDriver.chain(phone), scts: 0)
            }, leaf: { try leaf($0) }, lastTold: { nil })
        #expect((found == nil ? 0 : 1) == count)
    }

    @Test func `chains that one address shows in turns are told once`() throws {
        var driver = SpanDriver()
        try driver.play(9_000, "A")
        try driver.play(9_300, "X")
        try driver.play(9_600, "A")
        #expect(try event(scan(("X", 0)), after: ("A", 0), spans: driver.spans) == nil)
        #expect(try event(scan(("Y", 0)), after: ("A", 0), spans: driver.spans) != nil)
        #expect(try event(scan(("X", 0), on: [2]), after: ("A", 0), spans: driver.spans) != nil)
    }

    @Test(arguments: [(Int64(6_400), true), (6_399, false)])
    func `a drop soon after another is kept quietly`(told: Int64, quiet: Bool) throws {
        #expect(try event(scan(("X", 0)), after: ("A", 0), told: told)?.quiet == quiet)
    }
}
