import PinwatchCore
import Testing

struct DateRulesTests {
    @Test(
        "stages of a leaf by lifetime and days left",
        arguments: [
            // 90 days: near at 21 (of 22.5), soon at 10 (of 11.25), imminent at 3 (of 5.6).
            (Int64(90), Int64(30), Stage?.none), (90, 22, nil), (90, 21, .near), (90, 11, .near), (90, 10, .soon),
            (90, 4, .soon), (90, 3, .imminent), (90, 0, .imminent), (90, -1, .expired),
            // 47 days: near below 11.75, soon below 5.9, imminent below 2.9.
            (47, 16, nil), (47, 12, nil), (47, 11, .near), (47, 6, .near), (47, 5, .soon), (47, 3, .soon),
            (47, 2, .imminent),
            // 8 days, renewed at half: near at 2, soon at 1.
            (8, 4, nil), (8, 3, nil), (8, 2, .near), (8, 1, .soon),
        ])
    func leafStages(lifetime: Int64, left: Int64, stage: Stage?) throws {
        var world = World()
        try world.serve(world.certificate("A", days: (left - lifetime, left)), on: [1, 2])
        let found = world.findings(.certificateExpiry)
        #expect(found.map(\.stage) == (stage.map { [$0] } ?? []))
        let hex = try World.digest("A").hex
        #expect(found.allSatisfy { $0.key == "certificate.expiry/12/" + hex })
    }

    @Test(arguments: [(Int64(20), Severity.info), (9, .warning), (2, .critical), (-2, .critical)])
    func `a leaf's severity follows its stage`(left: Int64, severity: Severity) throws {
        var world = World()
        try world.serve(world.certificate("A", days: (left - 90, left)), on: [1])
        #expect(world.findings(.certificateExpiry).map(\.severity) == [severity])
    }

    @Test(arguments: [(Int64(20), Severity.info), (9, .info), (2, .warning), (-2, .critical)])
    func `an intermediate's is milder, and the leaf stays out of it`(left: Int64, severity: Severity) throws {
        var world = World()
        let issuer = try world.certificate("I", days: (left - 900, left), names: [])
        try world.serve(world.certificate("A"), issuer: issuer, on: [1])
        #expect(world.findings(.chainExpiry).map(\.severity) == [severity])
        #expect(world.findings(.certificateExpiry).isEmpty)
        #expect(world.findings(.chainInvalid).isEmpty)
    }

    @Test func `an extra expired cross-sign in the chain changes nothing`() throws {
        var world = World()
        let leaf = try world.certificate("A")
        let (issuer, root) = (try world.issuer(), try world.root())
        let cross = try world.certificate("C", days: (-900, -10), names: [])
        try world.serve(
            leaf, sent: [leaf, issuer, cross],
            paths: [
                Path(certificates: [leaf, issuer, cross], anchor: try world.certificate("S", days: (-99, 99))),
                Path(certificates: [leaf, issuer], anchor: root),
            ], on: [1])
        try world.release(pinning: "AB")
        #expect(world.evaluate().findings.isEmpty)
    }

    @Test func `a trust store's own root never counts, sent or not`() throws {
        var world = World()
        let (leaf, issuer) = (try world.certificate("A"), try world.issuer())
        let root = try world.certificate("R", days: (-3_000, 2), names: [])
        try world.serve(
            leaf, sent: [leaf, issuer, root], paths: [Path(certificates: [leaf, issuer], anchor: root)], on: [1])
        #expect(world.findings(.chainExpiry).isEmpty)
    }

    @Test func `an unknown end is no end`() throws {
        var world = World()
        var leaf = try world.certificate("A")
        leaf.notAfter = nil
        leaf.notBefore = nil
        try world.serve(leaf, on: [1])
        #expect(world.findings(.certificateExpiry).isEmpty)
        #expect(world.findings(.certificateNotYetValid).isEmpty)
        #expect(world.findings(.chainInvalid).count == 1)
    }

    @Test func `a leaf of the future is told once, by its own kind`() throws {
        var world = World()
        try world.serve(world.certificate("A", days: (1, 90)), on: [1])
        #expect(world.findings(.certificateNotYetValid).map(\.severity) == [.critical])
        #expect(world.findings(.chainInvalid).isEmpty)
    }

    @Test func `an anchor that ended breaks the chain, and only that is told`() throws {
        var world = World()
        let (leaf, issuer) = (try world.certificate("A"), try world.issuer())
        let root = try world.certificate("R", days: (-3_000, -2), names: [])
        try world.serve(
            leaf, sent: [leaf, issuer], paths: [Path(certificates: [leaf, issuer], anchor: root)], on: [1])
        #expect(world.findings(.chainInvalid).count == 1)
        #expect(world.findings(.chainExpiry).isEmpty)
    }

    @Test func `the clock is asked at every stage, and never for the past`() throws {
        var world = World()
        world.lastScanAt = nil
        world.settings.paused = true
        try world.serve(world.certificate("A", days: (-69, 21)), on: [1])
        let end = try #require(world.assessments.values.first?.leaf?.notAfter)
        var seen: [Int64] = []
        while let next = world.evaluate().nextChange, next <= end + 1 {
            #expect(next > world.now)
            seen.append(end.seconds(since: next))
            world.now = next
        }
        #expect(seen == [10 * World.day, 3 * World.day, -1])
        #expect(world.findings(.certificateExpiry).map(\.stage) == [.expired])
    }

    @Test func `a change of answer never comes between two times that were named`() throws {
        var world = World()
        try world.serve(
            world.certificate("A", days: (-60, 30)), issuer: world.certificate("I", days: (-80, 12), names: []), on: [1]
        )
        try world.release(pinning: "A")
        world.lastScanAt = world.now + 400 * World.day
        var checks = 0
        while let next = world.evaluate().nextChange, checks < 100 {
            let before = Set(world.evaluate().findings.map { "\($0.key) \($0.stage?.rawValue ?? "") \($0.severity)" })
            world.now = next - 1
            let still = Set(world.evaluate().findings.map { "\($0.key) \($0.stage?.rawValue ?? "") \($0.severity)" })
            #expect(still == before)
            world.now = next
            checks += 1
        }
        #expect(checks > 6)
        #expect(checks < 100)
    }

    @Test func `what ends next is the first leaf, and an intermediate only before its leaf`() throws {
        var world = World()
        try world.serve(world.certificate("A", days: (-30, 60)), on: [1])
        try world.serve(world.certificate("B", days: (-30, 40)), on: [2])
        #expect(world.evaluate().upcoming.map(\.kind) == [.certificate])
        #expect(world.evaluate().upcoming.map(\.endsAt) == [world.now + 40 * World.day])
        try world.serve(
            world.certificate("C"), issuer: world.certificate("J", days: (-900, 50), names: []), on: [3])
        #expect(world.evaluate().upcoming.map(\.kind) == [.certificate, .chain])
    }
}
