import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("What is known of revocation") struct RevocationTests {
    private func answer(_ status: RevocationStatus, _ thisUpdate: Instant = noon) -> RevocationAnswer {
        RevocationAnswer(
            status: status, thisUpdate: thisUpdate, nextUpdate: noon + 86_400,
            revokedAt: status == .revoked ? noon - 60 : nil, reason: status == .revoked ? .keyCompromise : nil)
    }

    private func leaf(_ key: UInt8) -> SHA256Digest { chain(1, key: key).certificates[0].fingerprint }

    private func findings(_ store: Store) async throws -> [String] {
        _ = try await store.evaluateDue(assessor: NumberAssessor(), now: noon + 60)
        return try await store.findings(PageRequest(filters: ["kind": ["certificate.revoked"]])).items.map(\.key)
    }

    @Test func `a leaf is due when it comes, when its staple changes, and when it comes back`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let store = fixture.store
        func record(_ key: UInt8, at now: Instant, staple: [UInt8]? = nil) async throws {
            var made = scan(target, at: now, [("192.0.2.1", chain(1, key: key))])
            made = Scan(
                target: target, startedAt: now, endedAt: now, resolved: made.resolved,
                observations: made.observations.map { observation in
                    var observation = observation
                    observation.stapledOCSP = staple
                    return observation
                })
            try await store.record([made], assessor: NumberAssessor(), now: now)
        }
        func due(_ now: Instant) async throws -> [SHA256Digest] { try await store.dueRevocations(now: now).map(\.leaf) }
        let (first, second) = (leaf(1), leaf(2))
        try await record(1, at: noon)
        let found = try #require(try await store.dueRevocations(now: noon).first)
        #expect(found.leaf == first && found.known == nil && found.staples.isEmpty)
        #expect(found.servings.map(\.chain.id) == [chain(1, key: 1).id])
        #expect(found.servings.map(\.trustStore) == ["system"])
        let good = Revocation(answer(.good), from: .ocsp, at: noon)
        try await store.record(
            [RevocationLook(leaf: first, found: good, dueAt: noon, nextCheckAt: noon + 3_600)], now: noon)
        #expect(try await due(noon + 300).isEmpty)
        try await record(1, at: noon + 300)
        #expect(try await due(noon + 300).isEmpty)
        try await record(1, at: noon + 600, staple: [1, 2])
        let again = try #require(try await store.dueRevocations(now: noon + 600).first)
        #expect(again.known == good && again.staples == [[1, 2]])
        // Asked for again while it was looked at: that stands.
        try await store.record(
            [RevocationLook(leaf: first, found: nil, dueAt: noon, nextCheckAt: nil)], now: noon + 600)
        #expect(try await due(noon + 600) == [first])
        try await store.record(
            [RevocationLook(leaf: first, found: nil, dueAt: again.dueAt, nextCheckAt: nil)], now: noon + 600)
        #expect(try await due(noon + 600).isEmpty)
        #expect(try await store.certificate(first)?.revocation == good)
        try await record(2, at: noon + 900)
        #expect(try await due(noon + 900) == [second])
        try await record(1, at: noon + 1_200)
        #expect(try await due(noon + 1_200).contains(first))
    }

    @Test func `a revoked leaf is a finding of every host that serves it, also after a restart`() async throws {
        let fixture = try await StoreFixture()
        let targets = try await fixture.targets("a.example", "b.example", "c.example")
        for (target, key) in zip(targets, [1, 1, 2] as [UInt8]) {
            try await fixture.record(target, key: key, at: noon)
        }
        let leaf = leaf(1)
        let known = try #require(try await fixture.store.dueRevocations(now: noon).first { $0.servings.count > 0 })
        #expect(known.known == nil)
        let revoked = Revocation(answer(.revoked), from: .crl, detail: "why", at: noon)
        try await fixture.store.record(
            [RevocationLook(leaf: leaf, found: revoked, dueAt: noon, nextCheckAt: noon + 60)], now: noon)
        let keys = targets.prefix(2).map { "certificate.revoked/\($0.id.text)/\(leaf.hex)" }
        #expect(try await findings(fixture.store).sorted() == keys)
        try await fixture.store.close()
        let store = try await Store.open(path: fixture.path, now: noon)
        #expect(try await store.certificate(leaf)?.revocation == revoked)
        let good = Revocation(answer(.good, noon + 30), from: .ocsp, at: noon + 30)
        try await store.record(
            [RevocationLook(leaf: leaf, found: good, dueAt: noon + 60, nextCheckAt: noon + 60)], now: noon + 30)
        #expect(try await findings(store).isEmpty)
        try await store.close()
    }

    @Test(arguments: [RevocationStatus.unknown, .unavailable, .noneOffered])
    func `what is not known opens nothing, and comes back as it was written`(status: RevocationStatus) async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("a.example").first)
        try await fixture.record(target, key: 1, at: noon)
        let leaf = try #require(try await fixture.store.dueRevocations(now: noon).first).leaf
        let found =
            status == .unknown
            ? Revocation(answer(.unknown), from: .ocsp, at: noon)
            : Revocation(without: status, detail: "nobody answered", at: noon)
        try await fixture.store.record(
            [RevocationLook(leaf: leaf, found: found, dueAt: noon, nextCheckAt: noon)], now: noon)
        #expect(try await findings(fixture.store).isEmpty)
        #expect(try await fixture.store.dueRevocations(now: noon).map(\.known) == [found])
    }
}
