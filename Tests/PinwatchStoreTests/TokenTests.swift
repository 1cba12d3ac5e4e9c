import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Tokens") struct TokenTests {
    @Test func `a token is found by its hash until it is gone from nobody's list`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        #expect(try await store.hasTokens() == false)
        let made = try await store.createToken(
            name: "ci", role: .editor, sha256: digest(1), expiresAt: noon + 60, now: noon)
        #expect(try await store.token(sha256: digest(1)) == made)
        #expect(try await store.token(sha256: digest(2)) == nil)
        #expect(try await store.hasTokens())
        #expect(made.isValid(at: noon + 59) && !made.isValid(at: noon + 60))

        #expect(try await store.revokeToken(made.id, now: noon + 5))
        #expect(try await store.revokeToken(made.id, now: noon + 6) == false)
        #expect(try await store.token(sha256: digest(1))?.revokedAt == noon + 5)
        #expect(try await store.hasTokens(), "revoking the last token opens nothing")
        let next = try await store.createToken(name: "b", role: .viewer, sha256: digest(3), expiresAt: nil, now: noon)
        #expect(try await store.listTokens().map(\.id) == [made.id, next.id])
        try await store.close()
        withExtendedLifetime(fixture) {}
    }

    @Test func `two tokens of one hash are refused`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        _ = try await store.createToken(name: "a", role: .admin, sha256: digest(1), expiresAt: nil, now: noon)
        await #expect(throws: StoreError.self) {
            try await store.createToken(name: "b", role: .admin, sha256: digest(1), expiresAt: nil, now: noon)
        }
        #expect(try await store.listTokens().count == 1)
        try await store.close()
        withExtendedLifetime(fixture) {}
    }
}
