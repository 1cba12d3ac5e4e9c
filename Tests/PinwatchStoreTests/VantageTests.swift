import PinwatchCore
import Testing

@testable import PinwatchStore

/// Chains whose leaf begins with 9 or 8 are an authority's that no trust store knows; all others have a path.
private struct TwoAuthorities: ChainAssessor {
    /// Whether the trust store knows the first one after all.
    var knows = false

    func assessment(
        of chain: ChainID, trustStore: String, now: Instant, load: () throws -> Chain?
    ) rethrows -> ChainAssessment? {
        guard let first = try load()?.certificates.first?.der.first,
            let plain = try NumberAssessor().assessment(of: chain, trustStore: trustStore, now: now, load: load)
        else { return nil }
        var leaf = plain.certificates[0]
        leaf.dnsNames = "abcdefg".map { "www.\($0).test" }
        (leaf.issuer, leaf.issuerDER) = ("CN=Authority \(first)", [first])
        let isKnown = first < 8 || first == 9 && knows
        return ChainAssessment(
            chain: chain, trustStore: trustStore, certificates: [leaf],
            paths: isKnown ? [Path(certificates: [leaf], anchor: plain.certificates[1])] : [],
            code: isKnown ? .ok : .untrustedRoot, reason: "what the root is", stray: [], missingIssuer: nil)
    }
}

@Suite("A view that is in doubt") struct VantageTests {
    private static let hosts = "abcdefg".map { "www.\($0).test" }

    private let fixture: StoreFixture
    private let targets: [Target]

    init() async throws {
        fixture = try await StoreFixture()
        targets = try await Self.targets(Self.hosts, in: fixture)
    }

    private static func targets(_ hosts: [String], in fixture: StoreFixture) async throws -> [Target] {
        var configuration = fixture.configuration(hosts: hosts, channels: ["ops"])
        configuration.routes = [Route(severities: [.critical], channels: ["ops"])]
        return try await fixture.synchronize(configuration).targets.map(\.target)
    }

    /// Scans of some targets at a minute: each serves a leaf of its own that begins with a byte.
    private func record(
        _ byte: UInt8, _ numbers: some Sequence<Int>, minute: Int64, knows: Bool = false, in store: Store? = nil
    ) async throws {
        let now = noon + minute * 60
        let scans = numbers.map { number in
            scan(targets[number], at: now, [("192.0.2.\(number + 1)", chain(byte, key: UInt8(number)))])
        }
        try await (store ?? fixture.store).record(scans, assessor: TwoAuthorities(knows: knows), now: now)
    }

    /// What the channel is owed, in order: `opened vantage.suspect`.
    private func owed(in store: Store? = nil) async throws -> [String] {
        let items = try await (store ?? fixture.store).dueItems(channels: ["ops"], now: noon + 90 * 86_400, limit: 200)
        return items.compactMap { item in
            guard case .alert(let change, _, let finding) = item.subject else { return nil }
            return "\(change.rawValue.dropFirst(6)) \(finding.key)"
        }
    }

    private func held(in store: Store? = nil) async throws -> [String] {
        let found = try await (store ?? fixture.store).alerts(PageRequest(filters: ["state": ["silenced"]])).items
        #expect(found.allSatisfy { $0.alert.silencedBy == "vantage.suspect" })
        return found.map(\.alert.findingKey).sorted()
    }

    private func invalid(_ numbers: some Sequence<Int>) -> [String] {
        numbers.map { "chain.invalid/\(targets[$0].id.text)/ecdsa" }
    }

    @Test(arguments: [false, true])
    func `many that move in one recording are told once, and their end once`(restarts: Bool) async throws {
        var store = fixture.store
        func restart() async throws {
            guard restarts else { return }
            try await store.close()
            store = try await Store.open(path: fixture.path, now: noon)
            var configuration = fixture.configuration(hosts: Self.hosts, channels: ["ops"])
            configuration.routes = [Route(severities: [.critical], channels: ["ops"])]
            _ = try await store.synchronize(
                configuration, trustStores: [:], urlHash: { Array($0.url.revealed.utf8) }, readPinSet: readPins,
                now: noon)
        }
        try await record(1, 0..<5, minute: 0)
        try await restart()
        try await record(9, 0..<5, minute: 30, in: store)
        #expect(try await owed(in: store) == ["opened vantage.suspect"])
        #expect(try await held(in: store) == invalid(0..<5))
        #expect(try await store.summary(now: noon + 1_900).broken.first?.kind == .vantageSuspect)
        try await restart()
        try await record(1, 0..<3, minute: 35, in: store)
        #expect(try await owed(in: store) == ["opened vantage.suspect"])
        try await restart()
        try await record(1, 3..<5, minute: 36, in: store)
        #expect(try await owed(in: store) == ["opened vantage.suspect", "resolved vantage.suspect"])
        #expect(try await store.findings(PageRequest(filters: ["severity": ["critical"]])).items.isEmpty)
        #expect(try await store.writer.statement("SELECT authority FROM target_authority").isEmpty)
        #expect(try await store.writer.statement("SELECT authority FROM suspicion").isEmpty)
        try await store.close()
    }

    @Test func `those that left before the third are held back from then on, and end for who heard of them`()
        async throws
    {
        try await record(1, 0..<5, minute: 0)
        for number in 0..<5 { try await record(9, [number], minute: 30 + Int64(number)) }
        let told = invalid(0..<2).map { "opened " + $0 } + ["opened vantage.suspect"]
        #expect(try await owed() == told)
        #expect(try await held() == invalid(0..<5))
        for number in 0..<5 { try await record(1, [number], minute: 40 + Int64(number)) }
        #expect(
            try await owed().sorted()
                == (told + (invalid(0..<2) + ["vantage.suspect"]).map { "resolved " + $0 }).sorted())
    }

    @Test func `what stays when the others are back is told a window later`() async throws {
        try await record(1, 0..<5, minute: 0)
        try await record(9, 0..<5, minute: 30)
        try await record(1, 2..<5, minute: 35)
        #expect(try await fixture.store.evaluateDue(assessor: TwoAuthorities(), now: noon + 44 * 60).recorded.owed == 0)
        #expect(try await held() == invalid(0..<2))
        _ = try await fixture.store.evaluateDue(assessor: TwoAuthorities(), now: noon + 45 * 60 + 1)
        let ended = ["opened vantage.suspect", "resolved vantage.suspect"] + invalid(0..<2).map { "opened " + $0 }
        #expect(try await owed().sorted() == ended.sorted())
        // They come again while two are there still.
        try await record(9, 2..<5, minute: 50)
        #expect(try await owed().count == ended.count + 1)
        #expect(try await held() == invalid(0..<5))
    }

    @Test func `it ends after a week, and is not begun again by the same`() async throws {
        try await record(1, 0..<5, minute: 0)
        try await record(9, 0..<5, minute: 30)
        let week = noon + 30 * 60 + Vantage.lastsSeconds
        for now in [week + 1, week + 2] {
            _ = try await fixture.store.evaluateDue(assessor: TwoAuthorities(), now: now)
        }
        #expect(try await held().isEmpty)
        #expect(try await owed().filter { $0.hasPrefix("opened chain") }.count == 5)
        #expect(try await owed().filter { $0.hasSuffix("vantage.suspect") }.count == 2)
    }

    @Test func `a trust store that knows the authority ends it`() async throws {
        try await record(1, 0..<5, minute: 0)
        try await record(9, 0..<5, minute: 30)
        var configuration = fixture.configuration(hosts: Self.hosts, channels: ["ops"])
        configuration.routes = [Route(severities: [.critical], channels: ["ops"])]
        _ = try await fixture.synchronize(configuration, trustStores: ["system": digest(7)], at: noon + 1_860)
        _ = try await fixture.store.evaluateDue(assessor: TwoAuthorities(knows: true), now: noon + 1_860)
        let told = try await owed()
        #expect(told == ["opened vantage.suspect", "resolved vantage.suspect"])
        #expect(try await held().isEmpty)
    }

    @Test func `a finding from before the move is told as ever`() async throws {
        try await record(1, 1..<5, minute: 0)
        try await record(8, [0], minute: 0)
        #expect(try await owed() == invalid([0]).map { "opened " + $0 })
        try await record(9, 0..<5, minute: 30)
        #expect(try await held() == invalid(1..<5))
        try await record(1, 0..<5, minute: 35)
        #expect(
            try await owed().filter { $0.contains("chain.invalid") }
                == invalid([0]).flatMap { ["opened " + $0, "resolved " + $0] })
    }

    @Test func `it takes half of those that answered, a new authority, and a move`() async throws {
        try await record(1, 0..<7, minute: 0)
        try await record(9, 0..<2, minute: 30)
        try await record(1, 2..<7, minute: 30)
        try await record(9, [2], minute: 31)
        #expect(try await owed() == invalid(0..<3).map { "opened " + $0 })
        try await record(9, [3], minute: 32)
        #expect(try await held() == invalid(0..<4))
        // Nobody was ever seen elsewhere.
        let first = try await VantageTests()
        try await first.record(9, 0..<5, minute: 0)
        #expect(try await first.owed().sorted() == first.invalid(0..<5).map { "opened " + $0 })
        // Somebody was there long before.
        let old = try await VantageTests()
        try await old.record(9, [0], minute: 0)
        try await old.record(1, 1..<5, minute: 0)
        try await old.record(9, 1..<5, minute: 30)
        #expect(try await old.owed().sorted() == old.invalid(0..<5).map { "opened " + $0 })
    }

    @Test func `hosts of one domain or two are their operator's own`() async throws {
        let fixture = try await StoreFixture()
        let hosts = ["a.shop.test", "b.shop.test", "c.shop.test", "a.lab.test", "b.lab.test"]
        let targets = try await Self.targets(hosts, in: fixture)
        for (minute, byte) in [(0, 1), (30, 9)] as [(Int64, UInt8)] {
            let now = noon + minute * 60
            let scans = targets.enumerated().map { number, target in
                scan(target, at: now, [("192.0.2.\(number + 1)", chain(byte, key: UInt8(number)))])
            }
            try await fixture.store.record(scans, assessor: TwoAuthorities(), now: now)
        }
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["vantage.suspect"]])).items.isEmpty)
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["chain.invalid"]])).items.count == 5)
    }

    @Test func `a target that is removed is on no authority`() async throws {
        try await record(1, 0..<5, minute: 0)
        try await record(9, 0..<5, minute: 30)
        _ = try await Self.targets(["www.a.test"], in: fixture)
        #expect(try await fixture.count(of: "target_authority") == 1)
        _ = try await fixture.store.evaluateDue(assessor: TwoAuthorities(), now: noon + 31 * 60)
        _ = try await fixture.store.evaluateDue(assessor: TwoAuthorities(), now: noon + 60 * 60)
        #expect(try await held().isEmpty)
    }
}
