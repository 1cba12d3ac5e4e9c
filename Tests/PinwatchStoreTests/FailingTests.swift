import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Addresses that fail by themselves") struct FailingTests {
    private let good = chain(1, key: 1)

    @Test(arguments: [false, true])
    func `an address that fails in different ways is told at the third scan, across a restart too`(
        restarted: Bool
    ) async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        var store = fixture.store
        // A scheduler that catches up: by the clock these three are no three periods apart.
        for number in 0..<3 {
            #expect(try await store.findings(PageRequest(filters: ["kind": ["scan.failing"]])).total == 0)
            if restarted {
                try await store.close()
                store = try await Store.open(path: fixture.path, now: noon)
            }
            let failures: [Outcome] = [
                .connectRefused(message: "refused"), .connectTimeout(message: "late"), .connectTimeout(message: "late"),
            ]
            try await record(target, failures[number], at: noon + Int64(number) * 10, in: store)
        }
        let found = try await store.findings(PageRequest(filters: ["kind": ["scan.failing"]])).items
        #expect(found.map(\.scope) == [Scope(affected: 1, of: 2)])
        try await record(target, .ok, at: noon + 40, in: store)
        #expect(try await store.findings(PageRequest(filters: ["kind": ["scan.failing"]])).total == 0)
        try await store.close()
    }

    @Test func `slow scans are counted too, so that time alone tells nothing`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for number in 0..<2 {
            try await record(
                target, .reset(message: "reset"), at: noon + Int64(number) * 3_000, in: fixture.store)
        }
        while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon + 3_600, limit: 9).judged == 9 {
        }
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["scan.failing"]])).total == 0)
    }

    @Test func `scans between which an address was not given make one row, if they are not far apart`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for number in 0..<5 {
            let now = noon + Int64(number) * 300
            let answers = [("192.0.2.1", good)] + (number % 2 == 0 ? [("192.0.2.2", nil)] : [])
            try await fixture.store.record([scan(target, at: now, answers)], assessor: NumberAssessor(), now: now)
        }
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["scan.failing"]])).total == 1)
        let counted = "SELECT max(failures) FROM observation_sighting"
        #expect(try await fixture.count(counted) == 3)
        let later = noon + 90_000
        for (number, answers) in [[], [("192.0.2.2", Chain?.none)]].enumerated() {
            let now = later + Int64(number) * 300
            try await fixture.store.record(
                [scan(target, at: now, [("192.0.2.1", good)] + answers)], assessor: NumberAssessor(), now: now)
        }
        #expect(try await fixture.count(counted) == 1)
    }

    @Test func `failed resolutions with a good one between them make no row`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for number in 0..<5 {
            let now = noon + Int64(number) * 60
            let scan =
                number % 2 == 0 ? unresolved(target, at: now) : scan(target, at: now, [("192.0.2.1", good)])
            try await fixture.store.record([scan], assessor: NumberAssessor(), now: now)
        }
        #expect(try await fixture.count("SELECT max(failures) FROM observation_sighting") == 1)
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["scan.failing"]])).total == 0)
    }

    /// One address answers well, the other as given.
    private func record(_ target: Target, _ outcome: Outcome, at now: Instant, in store: Store) async throws {
        var whole = scan(target, at: now, [("192.0.2.1", good), ("192.0.2.2", good)])
        if outcome != .ok {
            whole = Scan(
                target: target, startedAt: now, endedAt: now, resolved: whole.resolved,
                observations: [
                    whole.observations[0],
                    Observation(at: now, address: address("192.0.2.2"), profile: .phone, outcome: outcome),
                ])
        }
        try await store.record([whole], assessor: NumberAssessor(), now: now)
    }
}
