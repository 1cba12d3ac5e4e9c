import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("The overview's sums") struct SummaryTests {
    @Test func `equal a count of the rows, whatever came`() async throws {
        let fixture = try await StoreFixture()
        let hosts = (0..<6).map { "h\($0).example" }
        var configuration = fixture.configuration(hosts: hosts)
        let targets = try await fixture.synchronize(configuration).targets.map(\.target)
        let empty = try await fixture.store.summary(now: noon)
        #expect(empty.targets == 6 && empty.unscanned == 6 && empty.conditions == [.unknown: 6])
        #expect(empty.lastScanAt == nil && empty.onTime == 0)

        for number in 0..<4 {
            let now = noon + Int64(number) * 300
            let scans = targets.prefix(5).enumerated().map { index, target in
                // The first two get worse, the third comes back, the others stand.
                let fails = index < 2 && number > index || index == 2 && number == 1
                return scan(
                    target, at: now,
                    [("192.0.2.1", fails ? nil : chain(1, key: 1)), ("192.0.2.2", fails ? nil : chain(1, key: 1))])
            }
            try await fixture.store.record(scans, assessor: NumberAssessor(), now: now)
            while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: now, limit: 9).judged == 9 {}
            try await check(fixture, at: now)
        }
        let later = try await fixture.store.summary(now: noon + 900)
        #expect(later.failing == 2 && later.unscanned == 1 && later.lastScanAt == noon + 900 && later.onTime == 5)
        #expect(later.findings.warning > 0 && later.addresses == 10)

        configuration.targets.removeFirst(2)
        _ = try await fixture.synchronize(configuration, at: noon + 1_000)
        try await check(fixture, at: noon + 1_000)
        while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon + 1_000, limit: 9).judged == 9 {
        }
        try await check(fixture, at: noon + 1_000)
        #expect(try await fixture.store.summary(now: noon + 1_000).targets == 4)
        configuration.targets = hosts.map { settings($0) }
        _ = try await fixture.synchronize(configuration, at: noon + 1_100)
        try await check(fixture, at: noon + 1_100)
    }

    @Test func `count a finding at the severity that it has now`() async throws {
        let fixture = try await StoreFixture()
        let steps: [[Finding]] = [
            [finding("a", severity: .info), finding("b")], [finding("a", severity: .warning), finding("b")],
            [finding("a", severity: .critical)], [],
        ]
        let expected = [
            FindingCounts(critical: 1, info: 1), FindingCounts(critical: 1, warning: 1), FindingCounts(critical: 1),
            FindingCounts(),
        ]
        for (findings, counts) in zip(steps, expected) {
            _ = try await fixture.store.writer.recording(judge: judge(), now: noon) { recording throws(StoreError) in
                try recording.settle(.host("api.example.com"), Evaluation(findings: findings))
            }
            #expect(try await fixture.store.summary(now: noon).findings == counts)
        }
    }

    @Test(arguments: [(Int64(450), 1), (451, 0)])
    func `a target is on time for one and a half of its periods`(age: Int64, onTime: Int) async throws {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration()
        configuration.scan.periodSeconds = 300
        let target = try #require(try await fixture.synchronize(configuration).targets.first?.target)
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])],
            assessor: NumberAssessor(), now: noon)
        #expect(try await fixture.store.summary(now: noon + age).onTime == onTime)
        configuration.targets[0].periodSeconds = 3_600
        _ = try await fixture.synchronize(configuration, at: noon + 9)
        #expect(try await fixture.store.summary(now: noon + 5_400).onTime == 1)
        #expect(try await fixture.store.summary(now: noon + 5_401).onTime == 0)
    }

    private func check(_ fixture: StoreFixture, at now: Instant) async throws {
        let summary = try await fixture.store.summary(now: now)
        for condition in TargetCondition.allCases {
            let count = try await fixture.count(
                "SELECT count(*) FROM target_standing WHERE condition = \(condition.storedRank)")
            #expect(Int64(summary.conditions[condition] ?? 0) == count, "\(condition)")
        }
        #expect(Int64(summary.targets) == (try await fixture.count(of: "target_standing")))
        let sums: [(Int, String)] = [
            (summary.addresses, "SELECT sum(addresses) FROM target_standing"),
            (summary.unscanned, "SELECT count(*) FROM target_status WHERE last_scan_at IS NULL"),
            (summary.failing, "SELECT count(*) FROM target_status WHERE failures > 0"),
            (summary.findings.warning, "SELECT count(*) FROM finding WHERE severity = 1"),
            (summary.findings.info, "SELECT count(*) FROM finding WHERE severity = 2"),
        ]
        for (sum, sql) in sums { #expect(Int64(sum) == (try await fixture.count(sql)), "\(sql)") }
    }
}
