import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Addresses that rotate") struct ServingTests {
    private static let hour: Int64 = 3_600

    /// A name that resolves to another address every hour, all of them serving one chain.
    private func rotate(_ hours: Range<Int>, _ target: Target, in store: Store) async throws {
        for number in hours {
            let now = noon + Int64(number) * Self.hour
            try await store.record(
                [scan(target, at: now, [("10.0.\(number / 200).\(number % 200)", chain(1, key: 1))])],
                assessor: NumberAssessor(),
                now: now)
        }
    }

    @Test func `memory holds the addresses of the last day or two, and the database all`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await rotate(0..<300, target, in: fixture.store)
        let last = noon + 299 * Self.hour
        let (known, stored) = try await fixture.store.writer.memories(of: target.id, now: last)
        #expect(known == stored)
        let memory = try #require(known)
        #expect(memory.spans.map(\.servings.count) == [24])
        #expect(memory.resolved.count == 49)
        #expect(try await fixture.count(of: "serving") == 300)
        #expect(try await fixture.count("SELECT count(*) FROM serving WHERE current = 1") == 24)

        try await fixture.store.prune(Configuration.Retention(), now: last)
        #expect(try await fixture.count(of: "address_resolution") == 49)
    }

    @Test func `an address that is back after days keeps when it was first seen`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await rotate(0..<60, target, in: fixture.store)
        let now = noon + 60 * Self.hour
        try await fixture.store.record(
            [scan(target, at: now, [("10.0.0.0", chain(1, key: 1))])], assessor: NumberAssessor(), now: now)
        let (known, stored) = try await fixture.store.writer.memories(of: target.id, now: now)
        #expect(known == stored)
        let servings = try #require(
            try await fixture.store.spans(of: target.id, PageRequest()).items.first?.span.servings)
        #expect(servings.count == 60)
        let back = try #require(servings.first { $0.address == address("10.0.0.0") })
        #expect(back.firstSeen == noon && back.lastSeen == now && back.current)
    }
}
