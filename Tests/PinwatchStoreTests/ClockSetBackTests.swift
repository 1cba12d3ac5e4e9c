import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("A clock that was set back") struct ClockSetBackTests {
    private let hour: Int64 = 3_600

    @Test func `a delivery that waits by a clock that is no more is due, until it is put off by the present one`()
        async throws
    {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        try await fixture.store.compose([message("msg_1", items: [])])
        #expect(try await due(at: noon - hour, in: fixture) == ["msg_1"])
        try await fail(1, at: noon, in: fixture)
        #expect(try await due(at: noon, in: fixture) == [])
        #expect(try await due(at: noon - hour, in: fixture) == ["msg_1"])
        try await fail(1, at: noon - hour, in: fixture)
        #expect(try await due(at: noon - hour, in: fixture) == [])
        #expect(try await due(at: noon - hour + 5, in: fixture) == ["msg_1"])
    }

    @Test func `an item that is held by a clock that is no more may leave, and holds up none of its alert`()
        async throws
    {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        let wrong = finding("a")
        let items = [noon + 30, noon + 20].map { hold in
            OutboxItem(
                channel: "ops", subject: .alert(.updated, alert(for: wrong), wrong), target: nil, holdUntil: hold,
                at: noon)
        }
        try await write(BookChanges(changes: [.open(wrong, alert(for: wrong))], outbox: items), in: fixture)
        #expect(try await fixture.store.dueItems(channels: ["ops"], now: noon, limit: 9).isEmpty)
        #expect(try await fixture.store.dueItems(channels: ["ops"], now: noon - hour, limit: 9).count == 2)
    }

    private func due(at now: Instant, in fixture: StoreFixture) async throws -> [String] {
        try await fixture.store.dueDeliveries(channel: "ops", now: now, limit: 10).map(\.messageID)
    }

    private func fail(_ delivery: Int64, at now: Instant, in fixture: StoreFixture) async throws {
        let attempt = Attempt(at: now, status: 500, error: "busy", milliseconds: 1)
        try await fixture.store.record(attempt, of: delivery, result: .retry(at: now + 5), now: now)
    }
}
