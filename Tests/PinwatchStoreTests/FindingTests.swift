import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Findings and alerts") struct FindingTests {
    @Test func `a finding and its alert are read as they were written, then as they last were`() async throws {
        let fixture = try await StoreFixture()
        var wrong = finding("a", target: TargetID(1))
        try await write(BookChanges(changes: [.open(wrong, alert(for: wrong))], outbox: []), in: fixture)
        #expect(try await fixture.store.findings(PageRequest()).items == [wrong])
        var record = try #require(try await fixture.store.alert(AlertID(1)))
        #expect(record.finding == wrong && record.subjects == ["api.example.com"] && record.alert.state == .open)

        wrong.summary = "now worse"
        try await write(BookChanges(changes: [.update(wrong, record.alert, told: nil)], outbox: []), in: fixture)
        #expect(try await fixture.store.findings(PageRequest()).items == [wrong])
        #expect(try await fixture.store.alert(AlertID(1))?.finding == wrong)

        var resolved = record.alert
        resolved.state = .resolved
        resolved.resolvedAt = noon + 60
        try await write(BookChanges(changes: [.resolve(wrong, resolved)], outbox: []), in: fixture)
        #expect(try await fixture.store.findings(PageRequest()).total == 0)
        record = try #require(try await fixture.store.alert(AlertID(1)))
        #expect(record.alert == resolved && record.finding == wrong)
    }

    @Test func `the same finding opened again gets another alert`() async throws {
        let fixture = try await StoreFixture()
        let wrong = finding("a")
        for number in 1...2 {
            try await write(BookChanges(changes: [.open(wrong, alert(for: wrong))], outbox: []), in: fixture)
            var done = try #require(try await fixture.store.alert(AlertID(Int64(number)))).alert
            done.state = .resolved
            done.resolvedAt = noon
            try await write(BookChanges(changes: [.resolve(wrong, done)], outbox: []), in: fixture)
        }
        #expect(try await fixture.store.alerts(PageRequest()).items.map(\.alert.id.rawValue) == [2, 1])
        #expect(try await fixture.store.alerts(PageRequest(filters: ["state": ["open"]])).total == 0)
    }

    @Test func `findings come worst first, then oldest`() async throws {
        let fixture = try await StoreFixture()
        let findings = [
            finding("info", severity: .info), finding("young", since: noon + 9), finding("old", since: noon - 9),
            finding("warning", severity: .warning, stale: true),
        ]
        try await write(BookChanges(changes: findings.map { .open($0, nil) }, outbox: []), in: fixture)
        let all = try await fixture.store.findings(PageRequest())
        #expect(all.items.map(\.key) == ["old", "young", "warning", "info"])
        let worst = try await fixture.store.findings(PageRequest(filters: ["severity": ["critical"]]))
        #expect(worst.items.map(\.key) == ["old", "young"] && worst.total == 2)
        #expect(try await fixture.store.findings(PageRequest(filters: ["stale": ["true"]])).total == 1)
        #expect(try await fixture.store.findings(PageRequest(filters: ["pin_set_id": ["4"]])).total == 0)
        let summary = try await fixture.store.summary(now: noon)
        #expect(summary.broken.map(\.key) == ["old", "young", "warning"])
        #expect(summary.findings == FindingCounts(critical: 2, warning: 1, info: 1))
    }
}
