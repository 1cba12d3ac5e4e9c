import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Deliveries that somebody asks for again") struct RetryTests {
    @Test func `a dead delivery asked for again has fresh tries, and goes before all others`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        _ = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        try await store.compose([message("msg_1", items: []), message("msg_2", items: [])])
        let late = noon + 4 * 86_400
        let failed = Attempt(at: late, status: 500, error: "no", milliseconds: 1)
        try await store.record(failed, of: 2, result: .dead, now: late)
        let asked = try await store.retryDelivery(2, change(at: late + 60))
        #expect(asked.state == .pending && asked.isAskedFor && asked.attempts == [failed])
        #expect(asked.tries == 0 && asked.triedSince == late + 60)
        let result = RetryPolicy.result(
            status: 500, retryAfter: nil, tries: asked.tries + 1, createdAt: asked.triedSince, now: late + 61,
            jitter: 0.5)
        #expect(result == .retry(at: late + 66))
        #expect(try await store.dueDeliveries(channel: "ops", now: late + 60, limit: 1).map(\.id) == [2])
        let again = Attempt(at: late + 61, status: 500, error: "no", milliseconds: 1)
        try await store.record(again, of: 2, result: result, now: late + 61)
        let tried = try #require(try await store.delivery(2))
        #expect(tried.isAskedFor == false && tried.tries == 1 && tried.body == Array("{}".utf8))
        #expect(try await store.dueDeliveries(channel: "ops", now: late + 62, limit: 9).map(\.id) == [1])
    }

    @Test func `with a delivery asked for, the older ones of its alert that it must not overtake are`() async throws {
        let (fixture, _, id) = try await StoreFixture.broken()
        let store = fixture.store
        let first = try #require(try await store.deliveries(PageRequest(filters: ["alert_id": [id.text]])).items.first)
        try await store.record(
            Attempt(at: noon, status: 500, error: "no", milliseconds: 1), of: first.id,
            result: .retry(at: noon + 3_600),
            now: noon)
        _ = try await store.acknowledge(id, note: nil, change(at: noon + 1))
        try await fixture.send(at: noon + 1)
        let second = try #require(
            try await store.deliveries(PageRequest(filters: ["alert_id": [id.text]])).items.first)
        #expect(second.id != first.id)
        _ = try await store.retryDelivery(second.id, change(at: noon + 2))
        let due = try await store.dueDeliveries(channel: "ops", now: noon + 2, limit: 1)
        #expect(due.map(\.id) == [first.id])
    }

    @Test(arguments: ["delivered", "dropped"])
    func `what has arrived or has nowhere to go is not tried again`(state: String) async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        _ = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        try await store.compose([message("msg_1", items: [])])
        _ = try await store.writer.statement("UPDATE delivery SET state = '\(state)', next_attempt_at = NULL")
        let refusal = await #expect(throws: ChangeRefusal.self) { try await store.retryDelivery(1, change()) }
        guard case .conflict? = refusal else { throw try #require(refusal) }
        await #expect(throws: ChangeRefusal.unknown) { try await store.retryDelivery(9, change()) }
    }
}
