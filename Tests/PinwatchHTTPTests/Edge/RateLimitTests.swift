import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct RateLimitTests {
    private func signIn(_ fixture: EdgeFixture, _ token: String, from peer: String?) async -> Response {
        await fixture.answer("POST", "/api/v1/session", body: #"{"token":"\#(token)"}"#, from: peer)
    }

    @Test func `After ten bad tokens in a minute nobody is signed in from there, and elsewhere they are`() async {
        let fixture = EdgeFixture()
        for _ in 0..<10 { #expect(await signIn(fixture, "bad", from: "192.0.2.1").status == 401) }
        fixture.clock.pass(20)
        let refused = await signIn(fixture, "viewer", from: "192.0.2.1")
        #expect(refused.status == 429 && refused.header("Retry-After") == "40")
        #expect(await signIn(fixture, "viewer", from: "192.0.2.2").status == 201)
        fixture.clock.pass(39)
        #expect(await signIn(fixture, "viewer", from: "192.0.2.1").status == 429)
        fixture.clock.pass(1)
        #expect(await signIn(fixture, "viewer", from: "192.0.2.1").status == 201)
    }

    @Test func `Bad bearers count as well, and a good one is let in still`() async {
        let fixture = EdgeFixture()
        for status in [Int](repeating: 401, count: 10) + [429] {
            let answer = await fixture.answer(
                "GET", "/api/v1/summary", [("Authorization", "Bearer bad")], from: "2001:db8::1")
            #expect(answer.status == status)
        }
        #expect(await signIn(fixture, "viewer", from: "2001:db8::ffff:2").status == 429)
        #expect(await signIn(fixture, "viewer", from: "2001:db8:0:1::2").status == 201)
        let good = [("Authorization", "Bearer viewer")]
        #expect(await fixture.answer("GET", "/api/v1/summary", good, from: "2001:db8::1").status == 200)
    }

    @Test func `Requests without a token, and sessions that ended, keep nobody out`() async {
        let fixture = EdgeFixture()
        for _ in 0..<30 {
            #expect(await fixture.answer("GET", "/api/v1/summary").status == 401)
            #expect(await fixture.answer("GET", "/api/v1/summary", [("Cookie", "pinwatch_session=old")]).status == 401)
        }
        #expect(await signIn(fixture, "viewer", from: "127.0.0.1").status == 201)
    }

    @Test func `So many clients are remembered and no more`() throws {
        let limit = FailureLimit(allowed: 1, capacity: 100)
        for number in 0..<300 {
            let address = IPAddress(bytes: [10, 0, UInt8(number / 256), UInt8(number % 256)])
            limit.failed(address, now: now + Int64(number / 10))
        }
        #expect(limit.count == 100)
        #expect(throws: PinwatchHTTP.Problem.self) { try limit.check(IPAddress(bytes: [10, 0, 1, 43]), now: now + 30) }
        #expect(throws: Never.self) { try limit.check(IPAddress(bytes: [10, 0, 0, 0]), now: now + 30) }
    }

    @Test func `A principal writes four hundred times at once, and twenty times a second`() throws {
        let limit = WriteLimit()
        let (one, other) = (
            Principal(name: "a", via: .token, role: .admin, tokenID: 1),
            Principal(name: "b", via: .session, role: .admin, tokenID: 2)
        )
        for _ in 0..<400 { try limit.take(one, now: now) }
        let problem = #expect(throws: PinwatchHTTP.Problem.self) { try limit.take(one, now: now) }
        #expect(problem?.status == 429 && problem?.headers == [.init("Retry-After", "1")])
        try limit.take(other, now: now)
        for _ in 0..<20 { try limit.take(one, now: now + 1) }
        #expect(throws: PinwatchHTTP.Problem.self) { try limit.take(one, now: now + 1) }
        for _ in 0..<400 { try limit.take(one, now: now + 1_000) }
        #expect(throws: PinwatchHTTP.Problem.self) { try limit.take(one, now: now + 1_000) }
        for id in 0..<5_000 {
            try limit.take(Principal(name: "c", via: .token, role: .admin, tokenID: Int64(id + 10)), now: now)
        }
    }

    @Test func `Signing in is limited by client, whether it succeeds or not`() async {
        let fixture = EdgeFixture()
        for _ in 0..<400 { #expect(await signIn(fixture, "viewer", from: "192.0.2.1").status == 201) }
        let refused = await signIn(fixture, "viewer", from: "192.0.2.1")
        #expect(refused.status == 429 && refused.header("Retry-After") == "1")
        #expect(await signIn(fixture, "viewer", from: "192.0.2.2").status == 201)
        fixture.clock.pass(1)
        #expect(await signIn(fixture, "viewer", from: "192.0.2.1").status == 201)
    }

    @Test func `Writes through the service are limited, reads are not`() async {
        let fixture = EdgeFixture()
        let bearer = [("Authorization", "Bearer viewer")]
        for _ in 0..<400 { #expect(await fixture.answer("DELETE", "/api/v1/session", bearer).status == 204) }
        #expect(await fixture.answer("DELETE", "/api/v1/session", bearer).status == 429)
        #expect(await fixture.answer("GET", "/api/v1/summary", bearer).status == 200)
    }
}
