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
                [scan(target, at: time, [("192.0.2.1", chain(leaf, key: leaf))])], judge: judge(), now: time)
        }
        try await fixture.store.compose([message("msg_1", items: []), message("msg_2", items: [])])
        try await fixture.store.record(
            Attempt(at: noon, status: 200, error: nil, milliseconds: 1), of: 1, result: .delivered, now: noon)
        try await fixture.store.record(
            [scan(target, at: noon + 9_000, [("192.0.2.1", chain(2, key: 2))])], judge: judge(), now: noon + 9_000)
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
            [scan(target, at: now, [("192.0.2.1", chain(1, key: 1))])], judge: judge(), now: now)
        #expect(try await fixture.store.key(key(1))?.certificates.count == 1)
    }

    @Test func `a removed target goes with its history`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], judge: judge(), now: noon)
        _ = try await fixture.synchronize(fixture.configuration(hosts: []), at: noon + 1)
        try await fixture.store.prune(retention, now: noon + 1_001)
        #expect(try await fixture.count(of: "target") == 1)
        try await fixture.store.prune(retention, now: noon + 1_002)
        for table in ["target", "span", "observation", "chain", "certificate", "public_key"] {
            #expect(try await fixture.count(of: table) == 0, "\(table)")
        }
    }
}
