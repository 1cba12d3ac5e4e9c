import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Who has heard of an alert") struct ToldTests {
    @Test(arguments: [false, true])
    func `a channel that heard of an alert hears its end, though its route is gone`(restarted: Bool) async throws {
        let fixture = try await StoreFixture()
        let wrong = finding("a")
        let before = judge(
            routes: [Route(severities: [.critical], channels: ["ops", "chat"])], channels: ["ops", "chat", "new"])
        try await settle([wrong], judge: before, in: fixture.store)
        #expect(try await fixture.store.alert(AlertID(1))?.alert.told == ["chat", "ops"])
        var store = fixture.store
        if restarted {
            try await store.close()
            store = try await Store.open(path: fixture.path, now: noon)
        }
        let after = judge(
            routes: [Route(severities: [.critical], channels: ["new"])], channels: ["ops", "new"])
        try await settle([], judge: after, in: store)
        let owed = try await store.dueItems(channels: ["ops", "chat", "new"], now: noon + 60, limit: 9)
        #expect(owed.filter { $0.type == "alert.resolved" }.map(\.channel).sorted() == ["new", "ops"])
        guard case .alert(_, let alert, _)? = owed.last?.subject else { throw StoreError.closed }
        #expect(alert.told == ["chat", "new", "ops"])
        try await store.close()
    }

    @Test func `a channel that is told later is remembered beside the first`() async throws {
        let fixture = try await StoreFixture()
        let routes = [
            Route(severities: [.warning], channels: ["chat"]), Route(severities: [.critical], channels: ["ops"]),
        ]
        let judge = judge(routes: routes, channels: ["ops", "chat"])
        try await settle([finding("a", severity: .warning)], judge: judge, in: fixture.store)
        try await settle([finding("a", severity: .critical)], judge: judge, in: fixture.store)
        #expect(try await fixture.store.alert(AlertID(1))?.alert.told == ["chat", "ops"])
    }

    private func settle(_ findings: [Finding], judge: Judge, in store: Store) async throws {
        _ = try await store.writer.recording(judge: judge, now: noon) { recording throws(StoreError) in
            try recording.settle(.host("api.example.com"), Evaluation(findings: findings))
        }
    }
}
