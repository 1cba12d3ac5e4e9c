import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("What a commit says of definitions") struct DefinitionTests {
    @Test func `how a channel fares and what is judged of a pin set is told to readers alone`() async throws {
        let commits = Commits()
        let (fixture, target, _) = try await StoreFixture.broken(commits: commits)
        _ = commits.take()
        try await fixture.record(target, key: 2, at: noon + 300)
        let judged = commits.take()
        #expect(judged.contains { $0.topics.contains(.pinSets) } && judged.allSatisfy(\.definitions.isEmpty))

        let delivery = try #require(
            try await fixture.store.dueDeliveries(channel: "ops", now: noon + 300, limit: 1).first)
        for result in [AttemptResult.retry(at: noon + 400), .delivered, .channelGone] {
            let attempt = Attempt(at: noon + 300, status: 503, error: "busy", milliseconds: 1)
            try await fixture.store.record(attempt, of: delivery.id, result: result, now: noon + 300)
        }
        let tried = commits.take()
        #expect(tried.count == 3)
        #expect(tried.allSatisfy { $0.topics == [.channels, .deliveries] && $0.definitions.isEmpty })
    }

    @Test func `a revoked token and a session that ended are told to who lets in`() async throws {
        let commits = Commits()
        let fixture = try await StoreFixture(options: StoreOptions(committed: { commits.add($0) }))
        let store = fixture.store
        var tokens: [Int64] = []
        for (number, role) in Role.allCases.enumerated() {
            tokens.append(
                try await store.addToken(
                    name: "t", role: role, sha256: digest(UInt64(number)), expiresAt: nil, change()
                ).id)
        }
        _ = try await store.addSession(sha256: digest(9), token: tokens[0], expiresAt: noon + 60, change())
        #expect(commits.take().allSatisfy { !$0.endsAccess })
        try await store.endSession(sha256: digest(9), change())
        try await store.revokeToken(tokens[0], change())
        #expect(commits.take().map(\.endsAccess) == [true, true])
    }

    @Test func `what is made, changed and deleted of them is told to the service`() async throws {
        let commits = Commits()
        let fixture = try await StoreFixture(options: StoreOptions(committed: { commits.add($0) }))
        let store = fixture.store
        let id = try await store.addPinSet(pinDefinition("shop", keys: [2]), change()).pinSet.id
        _ = try await store.changePinSet(id, to: pinDefinition("shop", keys: [3]), change())
        try await store.removePinSet(id, change())
        let pinSets = commits.take()
        #expect(pinSets.map(\.definitions) == [[.pinSets], [.pinSets], [.pinSets]])
        #expect(pinSets.allSatisfy { $0.topics.contains(.pinSets) })

        let channel = StoredChannel(
            name: "ops", kind: .webhook, urlHost: "a.example", allowPrivate: false, managedBy: .api, secretCount: 0,
            sealed: StoredChannel.Sealed(url: [1], secrets: []))
        _ = try await store.addChannel(channel, urlHash: [1], change())
        _ = try await store.changeChannel("ops", change()) { stored, _ throws(ChangeRefusal) in
            stored.allowPrivate = true
        }
        _ = try await store.reseal(change()) { _ in StoredChannel.Sealed(url: [2], secrets: []) }
        try await store.removeChannel("ops", change())
        let channels = commits.take()
        #expect(channels.map(\.definitions) == [[.channels], [.channels], [.channels], [.channels]])
        #expect(channels.allSatisfy { $0.topics.contains(.channels) })
    }
}
