import PinwatchCore
import Testing

struct PinRulesTests {
    @Test func `a key outside the pins on some addresses rejects, with scope, share and words`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1, 2, 3, 4, 5])
        try world.serve(world.certificate("X"), on: [6, 7, 8])
        try world.release(pinning: "AB")
        let finding = try #require(world.findings(.pinRejected).first)
        #expect(finding.key == "pin.rejected/12/3")
        #expect(finding.severity == .critical)
        #expect(finding.scope == Scope(affected: 3, of: 8))
        #expect(finding.affectedShare == 0.31)
        #expect(
            finding.summary
                == "shop-ios 5.3 rejects api.example.com. A key outside its pins is served on 3 of 8 addresses; "
                + "neither of its 2 pins matches.")
        #expect(finding.evidence.text.contains(try World.digest("X").pin))
        #expect(!finding.evidence.text.contains(try World.digest("R").hex))
        #expect(world.findings(.pinNoBackup).isEmpty)
        #expect(world.findings(.hostUnpinned).isEmpty)
        let evaluation = world.evaluate()
        #expect(evaluation.verdicts.count == 3)
        #expect(evaluation.accepted.map(\.count) == [5])
    }

    @Test func `families at one address count apart`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1, 2])
        try world.serve(world.certificate("X"), on: [1, 2], family: .rsa)
        try world.release(pinning: "AB")
        let finding = try #require(world.findings(.pinRejected).first)
        #expect(finding.scope == Scope(affected: 2, of: 4))
        #expect(finding.summary.contains("on all 2 addresses"))
    }

    @Test func `facts stand still while nothing changes`() throws {
        var world = World()
        try world.serve(world.certificate("X", days: (-80, 5)), on: [1])
        try world.release(pinning: "AB")
        let before = world.evaluate().findings
        world.now = world.now + 3_600
        world.lastScanAt = world.now
        var after = world.evaluate().findings
        for index in after.indices { after[index].since = World.now }
        #expect(after == before)
    }

    @Test(arguments: [(Variant.debug, false), (.release, true), (.debug, true)])
    func `debug builds and report-only policies are news`(variant: Variant, reports: Bool) throws {
        var world = World()
        try world.serve(world.certificate("X"), on: [1])
        world.release(StubPolicy([world.host: [try World.spki("A")]], reportsOnly: reports), variant: variant)
        #expect(world.findings(.pinRejected).map(\.severity) == [.info])
    }

    @Test func `a renewal over the same key is quiet for key pins and loud for certificate pins`() throws {
        var world = World()
        try world.serve(world.certificate("N", key: "A"), on: [1])
        try world.release(pinning: "AB", id: 3)
        world.release(StubPolicy([world.host: [.certificate(try World.digest("A"))]]), id: 4)
        #expect(world.findings(.pinRejected).map(\.key) == ["pin.rejected/12/4"])
    }

    @Test func `an expired chain is told as such, not as rejected pins that would hold`() throws {
        var world = World()
        try world.serve(world.certificate("A", days: (-90, -1)), on: [1])
        try world.release(pinning: "AB", id: 3)
        try world.release(pinning: "CD", id: 4)
        #expect(world.findings(.pinRejected).map(\.key) == ["pin.rejected/12/4"])
        #expect(world.findings(.certificateExpiry).count == 1)
        #expect(world.findings(.chainInvalid).isEmpty)
        #expect(world.evaluate().verdicts.map(\.verdict.deciding.kind) == [.rejectChain, .rejectChain])
    }

    @Test func `an app that refuses hosts which it does not list has no quarrel with this one`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.release(
            StubPolicy([:], always: Verdict(.rejectPin, code: "host_not_listed", reason: "refused")))
        #expect(world.findings(.pinRejected).isEmpty)
        #expect(world.findings(.hostUnpinned).count == 1)
    }

    @Test func `a chain that could not be judged is unknown, neither rejected nor unpinned`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.assessments = [:]
        try world.release(pinning: "AB")
        let evaluation = world.evaluate()
        #expect(evaluation.findings.isEmpty)
        #expect(evaluation.verdicts.map(\.verdict.deciding.kind) == [.unknown])
    }

    @Test func `a pin set with its own trust store is judged by that`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.release(StubPolicy([world.host: [try World.spki("A")]]), trustStore: "corp")
        #expect(world.evaluate().verdicts.map(\.verdict.deciding.code) == ["not_assessed"])
    }

    @Test func `each chain is judged once for a pin set, however many addresses serve it`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: Array(1...16))
        try world.release(pinning: "AB", id: 3)
        try world.release(pinning: "AC", id: 4)
        var asked = 0
        _ = Evaluator.evaluate(
            host: world.host, targets: [world.state, world.state], policy: world.policy, now: world.now
        ) {
            chain, _ in
            asked += 1
            return world.assessments[chain]
        }
        #expect(asked == 1)
    }

    @Test(
        "pins of the release, and whether it is left without a backup",
        arguments: [
            ("A", true), ("AB", false), ("AI", true), ("AR", true), ("AIR", true), ("AIB", false), ("X", false),
        ])
    func backup(pins: String, missing: Bool) throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        try world.release(pinning: pins)
        let found = world.findings(.pinNoBackup)
        #expect(found.map(\.key) == (missing ? ["pin.no_backup/3/api.example.com"] : []))
        #expect(found.allSatisfy { $0.severity == .warning })
    }

    @Test func `what is missing for a whole host is told once, and its first target stands for all`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        try world.release(pinning: "A")
        #expect(world.findings(.pinNoBackup).map(\.targetID) == [TargetID(12)])
        var other = world
        other.targetID = 13
        let both = Evaluator.evaluate(
            host: world.host, targets: [world.state, other.state], policy: world.policy, now: world.now
        ) { chain, _ in world.assessments[chain] }
        let found = both.findings.filter { $0.kind == .pinNoBackup }
        #expect(found.map(\.targetID) == [TargetID(12)])
    }

    @Test func `only what is rejected is softer for a debug build`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        let fault = Verdict(.configError, code: "empty", reason: "no pins")
        try world.release(pinning: "A", id: 3, variant: .debug)
        #expect(world.findings(.pinNoBackup).map(\.severity) == [.warning])
        let broken = world.release(
            StubPolicy(
                [:], expiries: [PinExpiry(at: world.now - 1, host: "a.test")], configurationError: fault),
            id: 4, variant: .debug)
        let found = Evaluator.evaluate(pinSet: broken, policy: world.policy, now: world.now).findings
        #expect(found.map(\.kind) == [.pinConfigError, .pinSetExpiry])
        #expect(found.map(\.severity) == [.critical, .critical])
    }

    @Test func `where a pin file lies on this machine is not told`() throws {
        var world = World()
        let fault = Verdict(.configError, code: "empty", reason: "no pins")
        let pinSet = world.release(
            StubPolicy([:], configurationError: fault), origin: "/etc/pinwatch/pins/shop.yaml")
        let found = Evaluator.evaluate(pinSet: pinSet, policy: world.policy, now: world.now).findings
        #expect(found.map { $0.evidence.text.contains("shop.yaml") } == [true])
        #expect(found.allSatisfy { !$0.evidence.text.contains("/etc") })
    }

    @Test func `a pin for another lane of the host is no backup, one for a key served nowhere is`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        try world.serve(world.certificate("B"), on: [1], family: .rsa)
        try world.release(pinning: "AB", id: 3)
        try world.release(pinning: "ABC", id: 4)
        #expect(world.findings(.pinNoBackup).map(\.pinSetID) == [PinSetID(3)])
    }

    @Test(
        arguments: [
            (Verdict(.unpinned, by: .design, code: "host_not_listed", reason: ""), 1),
            (Verdict(.notEvaluated, code: "other_stack", reason: ""), 1),
            (Verdict(.accept, code: "no_pins_compared", reason: ""), 1),
            (Verdict(.unpinned, by: .trap, code: "expired", reason: ""), 0),
            (Verdict(.acceptReport, code: "no_pin_matched", reason: ""), 0),
            (Verdict(.configError, code: "empty", reason: ""), 0),
        ])
    func `a host is unpinned if no release means to pin it`(verdict: Verdict, count: Int) throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.release(StubPolicy([:], always: verdict))
        let found = world.findings(.hostUnpinned)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.key == "host.unpinned/12" && $0.severity == .info })
        let kept = world.evaluate().verdicts.count
        #expect(kept == (verdict.kind == .accept || verdict.by == .design || verdict.kind == .notEvaluated ? 0 : 1))
    }

    @Test(
        arguments: [
            (Int64(-22), Stage?.none), (-21, .near), (-11, .near), (-10, .soon), (-3, .imminent), (0, .imminent),
            (1, .expired),
        ])
    func `a pin set's expiry has stages by time left`(day: Int64, stage: Stage?) throws {
        var world = World()
        let end = World.now
        let pinSet = world.release(StubPolicy([:], expiries: [PinExpiry(at: end, host: "api.example.com")]))
        let now = end + day * World.day
        let evaluation = Evaluator.evaluate(pinSet: pinSet, policy: world.policy, now: now)
        #expect(evaluation.findings.map(\.stage) == (stage == nil ? [] : [stage]))
        #expect(evaluation.findings.allSatisfy { $0.key == "pinset.expiry/3" })
        let severities: [Stage: Severity] = [.near: .info, .soon: .warning, .imminent: .critical, .expired: .critical]
        #expect(evaluation.findings.map(\.severity) == (stage.flatMap { severities[$0] }.map { [$0] } ?? []))
        #expect(evaluation.upcoming.count == (day <= 0 ? 1 : 0))
        #expect((evaluation.nextChange == nil) == (day > 0))
    }

    @Test func `every host's end is told, on the runway, and judged in its time`() throws {
        var world = World()
        let (a, b) = (
            PinExpiry(at: World.now, host: "a.test"), PinExpiry(at: World.now + 400 * World.day, host: "b.test")
        )
        let pinSet = world.release(StubPolicy([:], expiries: [b, a, PinExpiry(at: b.at, host: "c.test")]))
        func judged(_ now: Instant) -> Evaluation {
            Evaluator.evaluate(pinSet: pinSet, policy: world.policy, now: now)
        }
        let between = judged(a.at + 1)
        #expect(
            between.findings.map(\.summary) == [
                "shop-ios 5.3 no longer pins a.test: its pins ended on \(try day(a.at)), and it accepts any trusted "
                    + "certificate. It stops pinning b.test and c.test on \(try day(b.at))."
            ])
        #expect(between.upcoming.map(\.endsAt) == [b.at])
        #expect(between.upcoming.map(\.summary) == ["pinning of b.test and c.test turns off"])
        #expect(between.nextChange == b.at - 21 * World.day)
        #expect(judged(b.at).nextChange == b.at + 1)
        let after = judged(b.at + 1)
        #expect(after.upcoming.isEmpty && after.nextChange == nil)
        #expect(
            after.findings.map(\.summary) == [
                "shop-ios 5.3 no longer pins a.test and 2 more hosts: its pins ended between \(try day(a.at)) and "
                    + "\(try day(b.at)), and it accepts any trusted certificate."
            ])
    }

    @Test func `a target is judged again when any host's pins end`() throws {
        var world = World()
        try world.serve(world.certificate("A", days: (-1, 900)), on: [1])
        world.settings.paused = true
        let end = World.now + 9 * World.day
        world.release(
            StubPolicy(
                [:], expiries: [PinExpiry(at: World.now - 9, host: "a.test"), PinExpiry(at: end, host: world.host)]))
        #expect(world.evaluate().nextChange == end + 1)
    }

    private func day(_ instant: Instant) throws -> String { String(try #require(instant.rfc3339).prefix(10)) }

    @Test func `a policy that cannot be loaded is the pin set's own finding`() throws {
        var world = World()
        let fault = Verdict(.configError, code: "malformed_pin", reason: "31 bytes")
        let pinSet = world.release(
            StubPolicy([world.host: [try World.spki("A")]], always: fault, configurationError: fault))
        try world.serve(world.certificate("A"), on: [1])
        let found = Evaluator.evaluate(pinSet: pinSet, policy: world.policy, now: world.now).findings
        #expect(found.map(\.key) == ["pin.config_error/3"])
        #expect(found.map(\.severity) == [.critical])
        #expect(world.findings(.pinRejected).isEmpty)
    }
}
