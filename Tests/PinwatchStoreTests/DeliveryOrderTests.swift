import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("The order of deliveries") struct DeliveryOrderTests {
    @Test func `the end of an alert waits while its beginning is tried again, and leaves after it`() async throws {
        let fixture = try await StoreFixture()
        try await compose("msg_1", telling: ["a"], in: fixture)
        try await compose("msg_2", telling: ["a"], in: fixture)
        #expect(try await due(in: fixture) == ["msg_1"])
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == noon)
        try await record(.retry(at: noon + 30), of: 1, in: fixture)
        #expect(try await due(in: fixture) == [])
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == noon + 30)
        #expect(try await due(at: noon + 30, in: fixture) == ["msg_1"])
        try await record(.delivered, of: 1, in: fixture)
        #expect(try await due(in: fixture) == ["msg_2"])
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == noon)
        try await record(.delivered, of: 2, in: fixture)
        #expect(try await fixture.store.nextDue(channels: ["ops"]) == nil)
    }

    @Test(arguments: [AttemptResult.dead, .delivered])
    func `a delivery that is over holds up nothing`(result: AttemptResult) async throws {
        let fixture = try await StoreFixture()
        try await compose("msg_1", telling: ["a"], in: fixture)
        try await compose("msg_2", telling: ["a"], in: fixture)
        try await record(result, of: 1, in: fixture)
        #expect(try await due(in: fixture) == ["msg_2"])
    }

    @Test func `each alert of a message keeps its place, not the leading one alone`() async throws {
        let fixture = try await StoreFixture()
        try await compose("msg_1", telling: ["a", "b", "c"], in: fixture)
        try await compose("msg_2", telling: ["c"], in: fixture)
        try await compose("msg_3", telling: ["b", "d"], in: fixture)
        try await compose("msg_4", telling: ["d"], in: fixture)
        try await compose("msg_5", telling: ["e"], in: fixture)
        try await compose("msg_6", telling: [], in: fixture)
        try await record(.retry(at: noon + 30), of: 1, in: fixture)
        #expect(try await due(in: fixture) == ["msg_5", "msg_6"])
        try await record(.dead, of: 1, in: fixture)
        #expect(try await due(in: fixture) == ["msg_2", "msg_3", "msg_5", "msg_6"])
        try await record(.delivered, of: 3, in: fixture)
        #expect(try await due(in: fixture) == ["msg_2", "msg_4", "msg_5", "msg_6"])
    }

    @Test func `channels do not wait for one another`() async throws {
        let fixture = try await StoreFixture()
        try await compose("msg_1", telling: ["a"], channel: "slow", in: fixture)
        try await compose("msg_2", telling: ["a"], in: fixture)
        try await record(.retry(at: noon + 30), of: 1, in: fixture)
        #expect(try await due(in: fixture) == ["msg_2"])
        #expect(try await fixture.store.nextDue(channels: ["slow"]) == noon + 30)
        #expect(try await fixture.store.nextDue(channels: ["slow", "ops"]) == noon)
    }

    @Test func `the list of an alert's deliveries holds every message that tells it`() async throws {
        let fixture = try await StoreFixture()
        try await compose("msg_1", telling: ["a", "b"], in: fixture)
        try await compose("msg_2", telling: ["b"], in: fixture)
        for (alert, count) in [(1, 1), (2, 2), (3, 0)] {
            let page = try await fixture.store.deliveries(PageRequest(filters: ["alert_id": ["\(alert)"]]))
            #expect(page.total == count && page.items.count == count)
        }
    }

    private func due(at now: Instant = noon, in fixture: StoreFixture) async throws -> [String] {
        try await fixture.store.dueDeliveries(channel: "ops", now: now, limit: 10).map(\.messageID).sorted()
    }

    private func record(_ result: AttemptResult, of delivery: Int64, in fixture: StoreFixture) async throws {
        let attempt = Attempt(at: noon, status: 500, error: "busy", milliseconds: 1)
        try await fixture.store.record(attempt, of: delivery, result: result, now: noon)
    }

    /// Owes a change of each alert, opening those that are new, and tells all of them in one message, as the courier
    /// does: under the number of the first.
    private func compose(
        _ message: String, telling keys: [String], channel: String = "ops", in fixture: StoreFixture
    ) async throws {
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops", "slow"]))
        var changes = BookChanges(changes: [], outbox: [])
        var first: AlertID?
        for key in keys {
            let known = try await fixture.store.alerts(PageRequest(limit: 200)).items.first {
                $0.alert.findingKey == key
            }
            let wrong = finding(key)
            let told = known?.alert ?? alert(for: wrong)
            if known == nil { changes.changes.append(.open(wrong, told)) }
            first = first ?? known?.alert.id
            changes.outbox.append(
                OutboxItem(
                    channel: channel, subject: .alert(.updated, told, wrong), target: nil, holdUntil: noon, at: noon))
        }
        try await write(changes, in: fixture)
        let items = try await fixture.store.dueItems(channels: [channel], now: noon, limit: 100)
        if first == nil, case .alert(_, let alert, _)? = items.first?.subject { first = alert.id }
        try await fixture.store.compose([
            PinwatchStoreTests.message(message, channel: channel, alert: first, items: items.map(\.id))
        ])
    }
}
