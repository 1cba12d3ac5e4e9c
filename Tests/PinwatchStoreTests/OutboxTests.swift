import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("The outbox") struct OutboxTests {
    @Test func `an alert's items come back as they were written, with the alert's number`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let wrong = finding("pin.rejected/1/3", target: target.id)
        try await open([wrong], holds: [noon], target: target, in: fixture)
        let items = try await fixture.store.dueItems(channels: ["ops"], now: noon, limit: 10)
        let item = try #require(items.first)
        guard case .alert(.opened, let alert, let finding) = item.subject else { throw ItemIsNoAlert() }
        #expect(alert.id.rawValue > 0 && finding == wrong && item.target == target && item.holdUntil == noon)
        #expect(try await fixture.store.dueItems(channels: ["other"], now: noon, limit: 10).isEmpty)
        #expect(try await fixture.store.dueItems(channels: [], now: noon, limit: 10).isEmpty)
    }

    @Test func `an item never overtakes an older one of its alert`() async throws {
        let fixture = try await StoreFixture()
        let wrong = finding("a")
        try await open([wrong, wrong], holds: [noon + 30, noon], target: nil, in: fixture)
        #expect(try await fixture.store.dueItems(channels: ["ops"], now: noon, limit: 10).isEmpty)
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == noon + 30)
        let due = try await fixture.store.dueItems(channels: ["ops"], now: noon + 30, limit: 10)
        #expect(due.map(\.id) == due.map(\.id).sorted() && due.count == 2)
        #expect(try await fixture.store.dueItems(channels: ["ops"], now: noon + 30, limit: 1).map(\.id) == [due[0].id])
    }

    @Test func `composing takes the items, and a second composer of the same items stores nothing`() async throws {
        let fixture = try await StoreFixture()
        try await open([finding("a")], holds: [noon], target: nil, in: fixture)
        let ids = try await fixture.store.dueItems(channels: ["ops"], now: noon, limit: 10).map(\.id)
        try await fixture.store.compose([message("msg_1", alert: AlertID(1), items: ids)])
        try await fixture.store.compose([message("msg_2", alert: AlertID(1), items: ids)])
        #expect(try await fixture.store.dueItems(channels: ["ops"], now: noon, limit: 10).isEmpty)
        let due = try await fixture.store.dueDeliveries(channel: "ops", now: noon, limit: 10)
        #expect(due.map(\.messageID) == ["msg_1"])
        #expect(due.first?.body == Array("{}".utf8))
        #expect(try await fixture.store.deliveries(PageRequest()).items.map(\.body) == [[]])
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == noon)
    }

    @Test func `attempts move a delivery on, and the newest fifty are kept`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        try await fixture.store.compose([message("msg_1", items: [])])
        for number in 0..<55 {
            let at = noon + Int64(number)
            let attempt = Attempt(at: at, status: 500, error: "no \(number)", milliseconds: 5)
            try await fixture.store.record(attempt, of: 1, result: .retry(at: at + 1), now: at)
        }
        #expect(try await fixture.count("SELECT failures FROM channel_state") == 55)
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == noon + 55)
        #expect(try await fixture.store.dueDeliveries(channel: "ops", now: noon + 54, limit: 10).isEmpty)
        let done = Attempt(at: noon + 60, status: 200, error: nil, milliseconds: 5)
        try await fixture.store.record(done, of: 1, result: .delivered, now: noon + 60)
        let delivery = try #require(try await fixture.store.deliveries(PageRequest()).items.first)
        #expect(delivery.state == .delivered && delivery.nextAttemptAt == nil && delivery.attempts.count == 50)
        #expect(delivery.attempts.last == done && delivery.attempts.first?.error == "no 6")
        #expect(try await fixture.count("SELECT failures FROM channel_state") == 0)
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == nil)
        let depths = try await fixture.store.queueDepths()
        #expect(depths.first { $0.name == "delivered" }?.count == 1)
    }

    @Test func `a try that ends after its delivery was given up does not revive it`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        try await fixture.store.compose([message("msg_1", items: []), message("msg_2", items: [])])
        let attempt = Attempt(at: noon, status: 410, error: "gone", milliseconds: 3)
        try await fixture.store.record(attempt, of: 1, result: .channelGone, now: noon)
        try await fixture.store.record(attempt, of: 2, result: .retry(at: noon + 9), now: noon)
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == nil)
    }

    private struct ItemIsNoAlert: Error {}

    /// Opens a finding with an alert and owes one item per entry of `holds`.
    private func open(
        _ findings: [Finding], holds: [Instant], target: Target?, in fixture: StoreFixture
    ) async throws {
        let items = zip(findings, holds).map { finding, hold in
            OutboxItem(
                channel: "ops", subject: .alert(.opened, alert(for: finding), finding), target: target,
                holdUntil: hold, at: noon)
        }
        let changes = BookChanges(changes: [.open(findings[0], alert(for: findings[0]))], outbox: items)
        try await write(changes, in: fixture)
    }
}

/// Writes reconciled changes as a judgement of the host would.
func write(_ changes: BookChanges, in fixture: StoreFixture, at now: Instant = noon) async throws {
    _ = try await fixture.store.writer.recording(judge: judge(), now: now) { recording throws(StoreError) in
        try recording.write(changes, of: .host("api.example.com"), labels: { _ in ["api.example.com"] })
    }
}
