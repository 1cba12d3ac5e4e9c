import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("What a silence reaches") struct SilenceReachTests {
    @Test func `alerts that it cannot match are not read`() async throws {
        let (fixture, hosts) = try await fleet(2)
        let store = fixture.store
        _ = try await store.writer.statement(
            "UPDATE finding SET body = 'unreadable' WHERE scope_key = 'host/\(hosts[1])'")
        let all = [
            Silence.Matchers(host: hosts[0]), Silence.Matchers(labels: ["number": "0"]),
            Silence.Matchers(targets: [TargetID(1)], severities: [.critical]),
        ]
        for (matchers, now) in zip(all, [noon + 10, noon + 30, noon + 50]) {
            let silence = once(matchers, ends: noon + 600)
            #expect(try await store.previewSilence(silence).alertCount > 0)
            let made = try await store.addSilence(silence, change(at: now))
            #expect(made.alerts > 0)
            try await store.removeSilence(made.id, change(at: now + 10))
            #expect(try await store.silence(made.id, now: now + 10)?.alerts == 0)
        }
    }

    @Test func `its beginning, its end and another's change leave each other's alerts alone`() async throws {
        let (fixture, hosts) = try await fleet(3)
        let store = fixture.store
        var silences: [SilenceID] = []
        for (index, ends) in [100, 200, 300].enumerated() {
            silences.append(
                try await store.addSilence(
                    once(Silence.Matchers(host: hosts[index]), ends: noon + Int64(ends)), change(at: noon + 1)
                ).id)
        }
        func silenced(at now: Instant) async throws -> [Bool] {
            var all: [Bool] = []
            for id in silences { all.append(try await store.silence(id, now: now).map { $0.alerts > 0 } ?? false) }
            return all
        }
        #expect(try await silenced(at: noon + 1) == [true, true, true])
        try await fixture.judge(at: noon + 100)
        #expect(try await silenced(at: noon + 100) == [false, true, true])
        try await store.removeSilence(silences[2], change(at: noon + 110))
        #expect(try await silenced(at: noon + 110) == [false, true, false])
        try await fixture.judge(at: noon + 200)
        #expect(try await silenced(at: noon + 200) == [false, false, false])
    }

    @Test(arguments: [
        Silence.Matchers(kinds: [.pinRejected]), Silence.Matchers(severities: [.warning]),
        Silence.Matchers(severities: [.critical, .warning]), Silence.Matchers(targets: [TargetID(1), TargetID(3)]),
        Silence.Matchers(host: "H1.example."), Silence.Matchers(host: "*.example"),
        Silence.Matchers(host: "*.h1.example"),
        Silence.Matchers(host: "*.exam_le"), Silence.Matchers(host: "h9.example"),
        Silence.Matchers(labels: ["number": "2"]), Silence.Matchers(labels: ["number": "2", "even": "true"]),
        Silence.Matchers(labels: ["number": "1", "even": "true"]),
        Silence.Matchers(host: "*.example", labels: ["even": "true"], kinds: [.pinRejected]),
    ])
    func `is what its matchers cover, found by SQL`(matchers: Silence.Matchers) async throws {
        let (fixture, _) = try await fleet(4)
        let targets = try await fixture.store.targets(PageRequest()).items.map(\.target)
        let findings = try await fixture.store.findings(PageRequest(limit: 200)).items
        let preview = try await fixture.store.previewSilence(once(matchers, ends: noon + 600))
        let covered = findings.filter { finding in
            matchers.cover(finding, targets: targets.filter { $0.id == finding.targetID })
        }
        let told = try await fixture.count("SELECT count(*) FROM finding WHERE alert_id IS NULL")
        #expect(told == Int64(findings.count { $0.severity == .info }))
        #expect(preview.alertCount == covered.count { $0.severity != .info })
        #expect(preview.targets.map(\.id) == targets.filter(matchers.cover).map(\.id))
        #expect(preview.targetCount == preview.targets.count)
    }

    @Test func `is found by an index`() async throws {
        let (fixture, _) = try await fleet(1)
        for (matchers, index) in [
            (Silence.Matchers(targets: [TargetID(1)]), "finding_target (target_id=?)"),
            (Silence.Matchers(labels: ["number": "0"]), "finding_target (target_id=?)"),
            (Silence.Matchers(host: "h0.example"), "finding_scope (scope_key=?)"),
            (Silence.Matchers(kinds: [.pinRejected]), "finding_kind (kind=?"),
        ] {
            let reach = SilenceReach(matchers)
            let sql = "EXPLAIN QUERY PLAN " + reach.findings("finding.scope_key", states: [.open])
            let plan = try await fixture.store.read { database in
                try database.rows(sql, reach.values).map { try $0.text(3) }
            }
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN finding") || $0.hasPrefix("SCAN alert") }, "\(plan)")
        }
    }

    @Test(.timeLimit(.minutes(2))) func `of hundreds of hosts the first follow at once, the rest by the clock`()
        async throws
    {
        let (fixture, _) = try await fleet(520)
        let store = fixture.store
        let rejected = Silence.Matchers(kinds: [.pinRejected])
        let all = try await store.previewSilence(once(rejected, ends: noon + 600)).alertCount
        #expect(all == 520)
        let made = try await store.addSilence(once(rejected, ends: noon + 600), change(at: noon + 10))
        #expect(made.alerts == 500)
        try await fixture.judge(at: noon + 10)
        #expect(try await store.silence(made.id, now: noon + 10)?.alerts == 520)
    }

    /// Hosts that each serve a key which nobody pinned.
    private func fleet(_ count: Int) async throws -> (StoreFixture, [String]) {
        let fixture = try await StoreFixture()
        let hosts = (0..<count).map { "h\($0).example" }
        var configuration = fixture.configuration(channels: ["ops"])
        configuration.targets = hosts.enumerated().map { index, host in
            settings(host, labels: ["number": "\(index)", "even": "\(index % 2 == 0)"])
        }
        configuration.pinSets = [pinDefinition("shop", host: "*", keys: [2], managedBy: .config)]
        let targets = try await fixture.synchronize(configuration).targets.map(\.target)
        let scans = targets.map { scan($0, at: noon, [("192.0.2.1", chain(1, key: 1))]) }
        try await fixture.store.record(scans, assessor: NumberAssessor(), now: noon)
        return (fixture, hosts)
    }
}
