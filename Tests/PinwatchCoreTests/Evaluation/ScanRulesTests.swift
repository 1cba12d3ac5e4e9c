import PinwatchCore
import Testing

struct ScanRulesTests {
    private let now = World.now

    private func status(
        _ address: Int?, _ outcome: String, failures: Int? = nil, since: Int64 = 600, profile: HelloProfile = .phone,
        lastAgo: Int64 = 0
    ) throws -> AddressStatus {
        AddressStatus(
            address: try address.map { try World.address($0) }, profile: profile, outcome: outcome, message: nil,
            hadChain: outcome == "ok", since: now - since, lastAt: now - lastAgo, failures: failures)
    }

    @Test(
        arguments: [(0, nil), (2, nil), (3, Scope(affected: 1, of: 3)), (9, Scope(affected: 1, of: 3))]
            as [(Int, Scope?)])
    func `one dead address is told after some scans, by itself`(failures: Int, scope: Scope?) throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1, 2])
        world.addresses = [
            try status(1, "ok"), try status(2, "ok"), try status(3, "connect_timeout", failures: failures),
        ]
        let found = world.findings(.scanFailing)
        #expect(found.map(\.scope) == (scope == nil ? [] : [scope]))
        #expect(found.allSatisfy { $0.key == "scan.failing/12" && $0.severity == .warning && !$0.stale })
    }

    @Test(arguments: [(Int64(300), 0), (599, 1), (600, 1)])
    func `where failures are not counted, the time since the first must do`(since: Int64, count: Int) throws {
        var world = World()
        world.addresses = [try status(3, "reset", since: since)]
        #expect(world.findings(.scanFailing).count == count)
        #expect((world.evaluate().nextChange.map { $0 < now + 600 } ?? false) == (count == 0))
    }

    @Test func `a chain by the legacy hello of the same scan counts, one of an earlier scan does not`() throws {
        var world = World()
        let phone = try status(1, "alert", failures: 5)
        world.addresses = [phone, try status(1, "ok", profile: .legacy)]
        #expect(world.findings(.scanFailing).isEmpty)
        world.addresses = [phone, try status(1, "ok", profile: .legacy, lastAgo: 300)]
        #expect(world.findings(.scanFailing).count == 1)
        world.addresses = [try status(1, "ok"), try status(1, "alert", failures: 9, profile: .legacy, lastAgo: 900)]
        #expect(world.findings(.scanFailing).isEmpty)
    }

    @Test func `a name that does not resolve fails every address`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1, 2])
        world.addresses = [
            try status(1, "ok", lastAgo: 900), try status(2, "ok", lastAgo: 900),
            try status(nil, "resolve_failed", failures: 3),
        ]
        #expect(world.findings(.scanFailing).map(\.scope) == [Scope(affected: 2, of: 2)])
    }

    @Test func `a target that stops answering keeps its findings, marked stale`() throws {
        var world = World()
        try world.serve(world.certificate("X", days: (-88, 2)), on: [1])
        try world.release(pinning: "A")
        let keys = Set(world.evaluate().findings.map(\.key))
        #expect(world.evaluate().findings.allSatisfy { !$0.stale })
        world.failures = 3
        world.addresses = [try status(1, "connect_refused")]
        let found = world.evaluate().findings
        #expect(Set(found.map(\.key)) == keys.union(["scan.failing/12"]))
        #expect(found.allSatisfy { $0.stale == ($0.kind != .scanFailing) })
    }

    @Test(
        "the period, and after how many seconds a scan is missed",
        arguments: [(Int64(5), Int64(605)), (300, 900), (200, 800), (3_600, 10_800)])
    func stale(period: Int64, limit: Int64) throws {
        var world = World()
        world.settings.periodSeconds = period
        world.lastScanAt = now - limit
        #expect(world.findings(.scanStale).isEmpty)
        #expect(world.evaluate().nextChange == now + 1)
        world.now = now + 1
        #expect(world.findings(.scanStale).map(\.key) == ["scan.stale/12"])
        world.settings.paused = true
        #expect(world.findings(.scanStale).isEmpty)
    }

    @Test func `a start after a long stop is no storm`() throws {
        var world = World()
        world.lastScanAt = now - 9 * World.day
        #expect(world.findings(.scanStale).count == 1)
        world.policy.scanningSince = now - 5
        #expect(world.findings(.scanStale).isEmpty)
    }

    @Test func `a target that was never scanned is missed from when it was added`() throws {
        var world = World()
        world.lastScanAt = nil
        #expect(world.findings(.scanStale)[0].summary.contains("never scanned"))
    }

    @Test(
        arguments: [
            (nil, 900, 5, 0), (nil, 901, 5, 1), (nil, 901, 0, 0), (-900, 5_000, 5, 0), (-901, 5_000, 5, 1),
            (-9_000, 60, 5, 0),
        ] as [(Int64?, Int64, Int, Int)])
    func `the installation is stale when no scan finishes at all`(
        last: Int64?, startedAgo: Int64, targets: Int, count: Int
    ) {
        let evaluation = Evaluator.evaluate(
            lastScanAt: last.map { now + $0 }, startedAt: now - startedAgo, targets: targets, policy: World().policy,
            now: now)
        #expect(evaluation.findings.map(\.key) == Array(repeating: "scan.stale/installation", count: count))
        #expect((evaluation.nextChange == nil) == (count == 1 || targets == 0))
    }

    @Test(arguments: [(false, 4, 0), (false, 5, 1), (true, 0, 1)])
    func `a channel fails when disabled or after five failures in a row`(gone: Bool, failures: Int, count: Int) {
        let found = Evaluator.evaluate(
            channel: "ops", disabledAt: gone ? now : nil, consecutiveFailures: failures, lastError: "HTTP 500", now: now
        ).findings
        #expect(found.map(\.key) == Array(repeating: "channel.failing/ops", count: count))
        #expect(found.allSatisfy { $0.severity == .warning })
    }
}
