import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Tokens and sessions") struct TokenTests {
    @Test func `a token is found by its hash until it is gone from nobody's list`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        #expect(try await store.hasTokens() == false)
        let made = try await store.addToken(
            name: "ci", role: .editor, sha256: digest(1), expiresAt: noon + 60, change())
        #expect(try await store.token(sha256: digest(1)) == made)
        #expect(try await store.token(made.id) == made)
        #expect(try await store.token(sha256: digest(2)) == nil)
        #expect(try await store.hasTokens())
        #expect(made.isValid(at: noon + 59) && !made.isValid(at: noon + 60))

        try await store.revokeToken(made.id, change(at: noon + 5))
        let again = await #expect(throws: ChangeRefusal.self) {
            try await store.revokeToken(made.id, change(at: noon + 6))
        }
        guard case .conflict? = again else { throw try #require(again) }
        #expect(try await store.token(sha256: digest(1))?.revokedAt == noon + 5)
        #expect(try await store.hasTokens(), "revoking the last token opens nothing")
        let next = try await store.addToken(name: "b", role: .viewer, sha256: digest(3), expiresAt: nil, change())
        #expect(try await store.listTokens().map(\.id) == [made.id, next.id])
        let first = try await store.tokens(PageRequest(limit: 1))
        #expect(first.total == 2 && first.items.map(\.id) == [made.id] && first.next != nil)
        #expect(try await fixture.audited() == ["token.create b", "token.revoke ci", "token.create ci"])
    }

    @Test func `two tokens of one hash are refused`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        _ = try await store.addToken(name: "a", role: .admin, sha256: digest(1), expiresAt: nil, change())
        await #expect(throws: StoreError.self) {
            try await store.addToken(name: "b", role: .admin, sha256: digest(1), expiresAt: nil, change())
        }
        #expect(try await store.listTokens().count == 1)
        #expect(try await store.audit(PageRequest()).total == 1)
    }

    @Test func `the last valid admin token is refused, but to the command line`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let first = try await store.addToken(name: "a", role: .admin, sha256: digest(1), expiresAt: nil, change())
        _ = try await store.addToken(name: "v", role: .viewer, sha256: digest(2), expiresAt: nil, change())
        _ = try await store.addToken(name: "old", role: .admin, sha256: digest(3), expiresAt: noon + 1, change())
        let refusal = await #expect(throws: ChangeRefusal.self) {
            try await store.revokeToken(first.id, change(at: noon + 2))
        }
        guard case .conflict? = refusal else { throw try #require(refusal) }
        try await store.revokeToken(first.id, Change(by: .command, at: noon + 2))
        #expect(try await store.token(first.id)?.revokedAt == noon + 2)
    }

    @Test func `a token's use is written once a minute`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let id = try await store.addToken(name: "a", role: .admin, sha256: digest(1), expiresAt: nil, change()).id
        #expect(try await store.token(id)?.lastUsedAt == nil)
        for (second, written) in [(0, 0), (1, 0), (59, 0), (60, 60), (61, 60), (30, 30)] as [(Int64, Int64)] {
            try await store.tokenUsed(id, at: noon + second)
            #expect(try await store.token(id)?.lastUsedAt == noon + written)
        }
    }

    @Test func `sessions end by themselves, by hand, and with their token`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let token = try await store.addToken(
            name: "ann", role: .editor, sha256: digest(1), expiresAt: noon + 500, change())
        for number in 1...3 as ClosedRange<UInt64> {
            let session = try await store.addSession(
                sha256: digest(100 + number), token: token.id, expiresAt: noon + 100 * Int64(number), change())
            #expect(session.token.id == token.id && session.createdAt == noon)
        }
        let second = try #require(try await store.session(sha256: digest(102)))
        #expect(second.isValid(at: noon + 199) && !second.isValid(at: noon + 200))
        try await store.endSession(sha256: digest(102), change())
        #expect(try await store.session(sha256: digest(102)) == nil)
        await #expect(throws: ChangeRefusal.unknown) { try await store.endSession(sha256: digest(102), change()) }
        try await store.prune(Configuration.Retention(), now: noon + 101)
        #expect(try await store.session(sha256: digest(101)) == nil)
        try await store.revokeToken(token.id, change(at: noon + 110))
        #expect(try await store.session(sha256: digest(103)) == nil)
        await #expect(throws: ChangeRefusal.unknown) {
            try await store.addSession(
                sha256: digest(104), token: token.id, expiresAt: noon + 900, change(at: noon + 120))
        }
        #expect(
            try await fixture.audited().prefix(3) == ["token.revoke ann", "session.delete ann", "session.create ann"])
    }
}
