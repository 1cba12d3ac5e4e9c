import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Channels that fail") struct ChannelTests {
    private let judge = PinwatchStoreTests.judge(channels: ["ops", "chat"])

    @Test func `a receiver that is gone becomes a finding, told by another channel, until its URL changes`()
        async throws
    {
        let fixture = try await prepared()
        try await record(.channelGone, status: 410, at: noon + 1, in: fixture)
        try await evaluate(at: noon + 1, in: fixture)
        let found = try #require(try await failing(in: fixture).first)
        #expect(found.key == "channel.failing/ops" && found.severity == .warning && found.summary.contains("410"))
        let items = try await fixture.store.dueItems(channels: ["ops", "chat"], now: noon + 60, limit: 9)
        #expect(items.map(\.channel) == ["chat"] && items.map(\.type) == ["alert.opened"])

        _ = try await fixture.store.synchronize(
            fixture.configuration(channels: ["ops", "chat"]), trustStores: [:], urlHash: { _ in [9] },
            readPinSet: readPins, now: noon + 90)
        try await evaluate(at: noon + 90, in: fixture)
        #expect(try await failing(in: fixture).isEmpty)
    }

    @Test func `five failed tries in a row become a finding, and a success ends it`() async throws {
        let fixture = try await prepared()
        for number in 1...5 {
            #expect(try await failing(in: fixture).isEmpty)
            try await record(.retry(at: noon + 900), status: 503, at: noon + Int64(number), in: fixture)
            try await evaluate(at: noon + Int64(number), in: fixture)
        }
        let found = try await failing(in: fixture)
        #expect(found.map(\.key) == ["channel.failing/ops"] && found[0].summary.contains("Busy."))
        try await record(.delivered, status: 200, at: noon + 900, in: fixture)
        try await evaluate(at: noon + 900, in: fixture)
        #expect(try await failing(in: fixture).isEmpty)
        let types = try await fixture.store.dueItems(channels: ["chat"], now: noon + 960, limit: 9).map(\.type)
        #expect(types == ["alert.opened", "alert.resolved"])
    }

    private func prepared() async throws -> StoreFixture {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops", "chat"]))
        try await evaluate(at: noon, in: fixture)
        try await fixture.store.compose([message("msg_1", items: [])])
        return fixture
    }

    private func record(
        _ result: AttemptResult, status: Int, at now: Instant, in fixture: StoreFixture
    ) async throws {
        let attempt = Attempt(at: now, status: status, error: status == 200 ? nil : "busy", milliseconds: 1)
        try await fixture.store.record(attempt, of: 1, result: result, now: now)
    }

    private func evaluate(at now: Instant, in fixture: StoreFixture) async throws {
        while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: now, limit: 9).judged == 9 {}
    }

    private func failing(in fixture: StoreFixture) async throws -> [Finding] {
        try await fixture.store.findings(PageRequest(filters: ["kind": ["channel.failing"]])).items
    }
}
