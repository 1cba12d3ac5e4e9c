import Foundation
import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Recording scans") struct RecordTests {
    @Test func `a first scan keeps the chain, its keys, a span and an observation`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let served = chain(66, key: 7)
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", served), ("2001:db8::1", nil)])], assessor: NumberAssessor(),
            now: noon)

        let span = try #require(try await fixture.store.spans(of: target.id, PageRequest()).items.first)
        #expect(span.chain == served.certificates.map(\.fingerprint) && span.spki == key(7))
        #expect(span.span.firstSeen == noon && span.span.scans == 1 && span.span.closedAt == nil)
        let observations = try await fixture.store.observations(of: target.id, PageRequest()).items
        #expect(observations.map(\.observation.outcome) == [.connectRefused(message: "refused"), .ok])
        #expect(observations.last?.fingerprints == span.chain && observations.last?.weak == [.sha1Signature])
        let certificate = try #require(try await fixture.store.certificate(served.certificates[0].fingerprint))
        #expect(certificate.certificate.der == [66, 7])
        #expect(certificate.sightings.map(\.position) == [0] && certificate.sightings.map(\.open) == [true])
        let stored = try #require(try await fixture.store.key(key(7)))
        #expect(stored.family == .ecdsa && stored.certificates == [served.certificates[0].fingerprint])
        #expect(try await fixture.store.certificate(digest(9)) == nil)
        let record = try #require(try await fixture.store.target(target.id))
        #expect(record.lastScanAt == noon && record.leaf?.spki == key(7))
        #expect(record.leaf?.notAfter == noon + 90 * 86_400)
    }

    @Test(.timeLimit(.minutes(5)))
    func `ten periods over a thousand unchanged targets add no row and no page`() async throws {
        let fixture = try await StoreFixture()
        let hosts = (0..<1_000).map { "host-\($0).example" }
        let targets = try await fixture.synchronize(fixture.configuration(hosts: hosts)).targets.map(\.target)
        let scans: @Sendable (Instant) -> [Scan] = { now in
            targets.enumerated().map { number, target in
                scan(target, at: now, [("192.0.2.1", chain(UInt8(number % 200), key: 1))])
            }
        }
        try await fixture.store.record(scans(noon), assessor: NumberAssessor(), now: noon)
        while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon, limit: 500).judged > 0 {}
        try await fixture.store.record(scans(noon + 300), assessor: NumberAssessor(), now: noon + 300)
        let rows = try await fixture.rows()
        let pages = try await fixture.count("PRAGMA page_count")
        let free = try await fixture.count("PRAGMA freelist_count")
        for period in 2...11 {
            let now = noon + Int64(period) * 300
            try await fixture.store.record(scans(now), assessor: NumberAssessor(), now: now)
        }
        #expect(try await fixture.rows() == rows)
        #expect(try await fixture.count("PRAGMA page_count") == pages)
        #expect(try await fixture.count("PRAGMA freelist_count") == free)
        #expect(rows["span"] == 1_000)
        #expect(try await fixture.count("SELECT min(scans) FROM span_sighting") == 12)
        let wal = try FileManager.default.attributesOfItem(atPath: fixture.path + "-wal")[.size] as? Int
        #expect(try #require(wal) <= 16_777_216)
    }

    @Test func `what is remembered equals what is stored, whatever came`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let (a, b) = (chain(1, key: 1), chain(2, key: 2))
        var stapled = scan(target, at: noon + 1_500, [("192.0.2.1", a)]).observations[0]
        stapled.stapledOCSP = [1, 2, 3]
        stapled.alpn = "h2"
        let scans = [
            scan(target, at: noon, [("192.0.2.1", a)]),
            scan(target, at: noon + 300, [("192.0.2.1", a), ("192.0.2.2", b)]),
            scan(target, at: noon + 600, [("192.0.2.1", b), ("192.0.2.2", nil)]), unresolved(target, at: noon + 900),
            scan(target, at: noon + 1_200, [("192.0.2.1", a)]),
            Scan(
                target: target, startedAt: noon + 1_500, endedAt: noon + 1_500, resolved: [address("192.0.2.1")],
                observations: [stapled]),
            scan(target, at: noon + 9_000, [("192.0.2.2", b)]),
        ]
        for scan in scans {
            try await fixture.store.record([scan], assessor: NumberAssessor(), now: scan.endedAt)
            let (known, stored) = try await fixture.store.writer.memories(of: target.id, now: scan.endedAt)
            #expect((known == stored) == true)
            #expect(known?.host == "api.example.com")
        }
    }

    @Test func `an address that answers the same again continues its run, and another answer begins one`() async throws
    {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for (minute, served) in [nil, nil, chain(1, key: 1), nil].enumerated() {
            let now = noon + Int64(minute) * 60
            try await fixture.store.record(
                [scan(target, at: now, [("192.0.2.1", served)])], assessor: NumberAssessor(), now: now)
        }
        let runs = try await fixture.store.observations(of: target.id, PageRequest()).items
        #expect(runs.map(\.times) == [1, 1, 2])
        #expect(runs.map(\.firstAt) == [noon + 180, noon + 120, noon])
        #expect(runs.map(\.observation.at) == [noon + 180, noon + 120, noon + 60])
    }

    @Test func `a chain that returns within the window is a flap of its span, across a restart too`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let (a, b) = (chain(1, key: 1), chain(2, key: 2))
        for (minute, served) in [a, b].enumerated() {
            let now = noon + Int64(minute) * 60
            try await fixture.store.record(
                [scan(target, at: now, [("192.0.2.1", served)])], assessor: NumberAssessor(), now: now)
        }
        try await fixture.store.close()
        let again = try await Store.open(path: fixture.path, now: noon + 120)
        try await again.record(
            [scan(target, at: noon + 120, [("192.0.2.1", a)])], assessor: NumberAssessor(), now: noon + 120)
        let spans = try await again.spans(of: target.id, PageRequest()).items
        #expect(spans.count == 2)
        #expect(spans.first { $0.spki == key(1) }?.span.flaps == 1)
        #expect(try await again.certificate(a.certificates[0].fingerprint)?.sightings.count == 1)
        try await again.close()
    }

    @Test func `a failed transaction leaves what is remembered as it was`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let first = scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])
        try await fixture.store.record([first], assessor: NumberAssessor(), now: noon)
        let before = try await fixture.store.writer.memories(of: target.id, now: noon)
        _ = try await fixture.store.writer.statement("PRAGMA query_only = ON")
        let next = scan(target, at: noon + 60, [("192.0.2.1", chain(2, key: 2))])
        await #expect(throws: StoreError.self) {
            try await fixture.store.record([next], assessor: NumberAssessor(), now: noon + 60)
        }
        #expect(await fixture.store.writeProblem(now: noon) != nil)
        _ = try await fixture.store.writer.statement("PRAGMA query_only = OFF")
        let after = try await fixture.store.writer.memories(of: target.id, now: noon)
        #expect(after.known == before.known && after.stored == before.stored)
        #expect(await fixture.store.writeProblem(now: noon) == nil)
        try await fixture.store.record([next], assessor: NumberAssessor(), now: noon + 60)
        #expect(try await fixture.store.spans(of: target.id, PageRequest()).total == 2)
    }

    @Test(arguments: [
        "CN=a\\00b,O=\\ff\\fe", "CN=\"><script>alert(1)</script>", "CN=\u{0}real NUL", "", "CN=🔑\u{202E}x",
    ])
    func `names come back exactly as they went in`(subject: String) async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let now = noon
        try await fixture.store.record(
            [scan(target, at: now, [("192.0.2.1", chain(1, key: 1))])],
            assessor: NumberAssessor(subject: subject), now: now)
        #expect(try await fixture.store.target(target.id)?.leaf?.subject == subject)
    }
}

extension Writer {
    func memories(
        of target: TargetID, now: Instant
    ) throws(StoreError) -> (known: TargetMemory?, stored: TargetMemory?) {
        let stored = try look { database throws(StoreError) in
            try TargetMemory.load(
                target, flapWindowSeconds: policy.thresholds.flapWindowSeconds, now: now, from: database)
        }
        return (memories.known[target], stored)
    }
}
