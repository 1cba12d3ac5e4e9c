import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Retention") struct PruneTests {
    private var retention: Configuration.Retention {
        var retention = Configuration.Retention()
        retention.spansSeconds = 1_000
        retention.eventsSeconds = 1_000
        retention.deliveriesSeconds = 1_000
        return retention
    }

    @Test func `what is old and over goes with everything that only it needed; what is open stays`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for (time, leaf) in [(noon, UInt8(1)), (noon + 100, 2)] {
            try await fixture.store.record(
                [scan(target, at: time, [("192.0.2.1", chain(leaf, key: leaf))])], assessor: NumberAssessor(), now: time
            )
        }
        try await fixture.store.compose([message("msg_1", items: []), message("msg_2", items: [])])
        try await fixture.store.record(
            Attempt(at: noon, status: 200, error: nil, milliseconds: 1), of: 1, result: .delivered, now: noon)
        try await fixture.store.record(
            [scan(target, at: noon + 9_000, [("192.0.2.1", chain(2, key: 2))])], assessor: NumberAssessor(),
            now: noon + 9_000)
        #expect(try await fixture.store.prune(retention, now: noon + 500) == 0)

        try await fixture.store.prune(retention, now: noon + 9_000, batch: 1)
        #expect(try await fixture.store.spans(of: target.id, PageRequest()).items.map(\.spki) == [key(2)])
        #expect(try await fixture.store.observations(of: target.id, PageRequest()).total == 1)
        #expect(try await fixture.store.key(key(1)) == nil)
        #expect(try await fixture.store.certificate(digest(0xCA)) != nil)
        #expect(try await fixture.store.deliveries(PageRequest()).items.map(\.messageID) == ["msg_2"])
        #expect(try await fixture.count(of: "event") == 0)
        let now = noon + 9_300
        try await fixture.store.record(
            [scan(target, at: now, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: now)
        #expect(try await fixture.store.key(key(1))?.certificates.count == 1)
    }

    @Test func `a removed pin set goes, and one that is configured or blamed stays`() async throws {
        let fixture = try await StoreFixture()
        let sets = ["gone", "blamed", "kept"].map { app in
            PinSetDefinition(
                identity: PinSetIdentity(app: app, release: "1", variant: .release, stack: "default"), share: nil,
                platform: nil, trustStore: nil, layers: [], source: "pins", origin: "pins.yaml", managedBy: .config)
        }
        _ = try await fixture.synchronize(fixture.configuration(pinSets: sets))
        _ = try await fixture.synchronize(fixture.configuration(pinSets: [sets[2]]))
        _ = try await fixture.store.writer.statement(
            """
            INSERT INTO finding (key, scope_key, kind, severity, pin_set_id, stale, since_at, body)
            SELECT 'k', 's', 'pin.rejected', 0, id, 0, 0, '{}' FROM pin_set WHERE app = 'blamed'
            """)
        try await fixture.store.prune(retention, now: noon + 1_000)
        #expect(try await fixture.count(of: "pin_set") == 3)
        try await fixture.store.prune(retention, now: noon + 1_001)
        #expect(
            try await fixture.store.writer.statement("SELECT app FROM pin_set ORDER BY app")
                == [[.text("blamed")], [.text("kept")]])
    }

    @Test func `pruning forgets only targets whose spans went, and current results are found by an index`() async throws
    {
        let fixture = try await StoreFixture()
        let targets = try await fixture.targets("a.example", "b.example")
        for target in targets {
            try await fixture.store.record(
                [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: noon)
        }
        let now = noon + 60
        try await fixture.store.record(
            [scan(targets[0], at: now, [("192.0.2.1", chain(2, key: 2))])], assessor: NumberAssessor(), now: now)
        try await fixture.store.prune(retention, now: noon + 1_061)
        let (forgotten, stored) = try await fixture.store.writer.memories(of: targets[0].id, now: now)
        #expect(forgotten == nil && stored != nil)
        #expect(try await fixture.store.writer.memories(of: targets[1].id, now: now).known != nil)
        let plan = try await fixture.store.writer.statement(
            "EXPLAIN QUERY PLAN SELECT id FROM observation WHERE target_id = 1 AND observation.current = 1")
        #expect("\(plan)".contains("observation_current"))
    }

    @Test func `a removed target goes with its history`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: noon)
        _ = try await fixture.synchronize(fixture.configuration(hosts: []), at: noon + 1)
        try await fixture.store.prune(retention, now: noon + 1_001)
        #expect(try await fixture.count(of: "target") == 1)
        try await fixture.store.prune(retention, now: noon + 1_002)
        for table in ["target", "span", "observation", "chain", "certificate", "public_key"] {
            #expect(try await fixture.count(of: table) == 0, "\(table)")
        }
    }
}
