import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct SessionTests {
    private static let path = "/api/v1/session"
    private static let own = ("Origin", "http://localhost:8080")

    @Test func `A token is exchanged for a cookie that signs its owner in`() async throws {
        let fixture = EdgeFixture()
        let answer = await fixture.answer("POST", Self.path, body: #"{"token":"editor"}"#)
        #expect(answer.status == 201 && answer.header("Location") == Self.path)
        #expect(
            answer.header("Set-Cookie")
                == "pinwatch_session=session-1; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict")
        let who =
            #"{"open":false,"authenticated":true,"via":"session","name":"editor","role":"editor","#
            + #""expires_at":"2026-12-01T00:00:00Z","environments":["production","staging"],"trust_stores":["system"],"version":"1.2.3"}"#
        #expect(answer.text == who)
        let cookie = [("Cookie", "other=1; pinwatch_session=session-1")]
        #expect(await fixture.answer("GET", Self.path, cookie).text == who)
        #expect(await fixture.answer("GET", "/api/v1/summary", cookie).status == 200)
        let change = try #require(fixture.store.now.changes.first)
        #expect(change.principal.name == "editor" && change.address == address("127.0.0.1"))
        #expect(fixture.store.now.sessions.keys.first == fakeDigest(Array("session-1".utf8)))
    }

    @Test func `Under TLS the cookie is bound to it and to this host`() async {
        let fixture = EdgeFixture()
        let answer = await fixture.answer("POST", Self.path, body: #"{"token":"viewer"}"#, isSecure: true)
        #expect(
            answer.header("Set-Cookie") == "__Host-pinwatch_session=session-1; Path=/; Max-Age=43200; HttpOnly; "
                + "SameSite=Strict; Secure")
        #expect(answer.header("Strict-Transport-Security") == "max-age=31536000")
        let bound = [("Cookie", "__Host-pinwatch_session=session-1")]
        #expect(await fixture.answer("GET", Self.path, bound, isSecure: true).status == 200)
        #expect(await fixture.answer("GET", Self.path, bound).status == 401)
        let bare = [("Cookie", "pinwatch_session=session-1")]
        #expect(await fixture.answer("GET", Self.path, bare, isSecure: true).status == 401)
    }

    @Test func `A session ends with its time, its token's, and its token's revocation`() async {
        let fixture = EdgeFixture()
        let cookie = await fixture.cookie(.viewer)
        fixture.clock.pass(43_199)
        #expect(await fixture.answer("GET", Self.path, [cookie]).status == 200)
        fixture.clock.pass(1)
        #expect(await fixture.answer("GET", Self.path, [cookie]).status == 401)
        fixture.change(.editor) { $0.expiresAt = PinwatchHTTPTests.now + 43_300 }
        let short = await fixture.answer("POST", Self.path, body: #"{"token":"editor"}"#)
        #expect(short.header("Set-Cookie")?.contains("Max-Age=100;") == true)
        let admin = await fixture.cookie(.admin)
        #expect(await fixture.answer("GET", Self.path, [admin]).status == 200)
        fixture.change(.admin) { $0.revokedAt = PinwatchHTTPTests.now }
        #expect(await fixture.answer("GET", Self.path, [admin]).status == 401)
    }

    @Test func `Signing out ends the session here, and takes the cookie`() async {
        let fixture = EdgeFixture()
        let cookie = await fixture.cookie(.viewer)
        let answer = await fixture.answer("DELETE", Self.path, [cookie, Self.own])
        #expect(answer.status == 204)
        #expect(answer.header("Set-Cookie")?.hasPrefix("pinwatch_session=; Path=/; Max-Age=0;") == true)
        #expect(fixture.store.now.sessions.isEmpty)
        #expect(await fixture.answer("GET", Self.path, [cookie]).status == 401)
    }

    @Test(arguments: ["nobody", "expired", "revoked", " ", String(repeating: "x", count: 512)])
    func `Every bad token gets the same answer`(token: String) async {
        let fixture = EdgeFixture()
        fixture.change(.viewer) { $0.expiresAt = PinwatchHTTPTests.now }
        fixture.change(.editor) { $0.revokedAt = PinwatchHTTPTests.now }
        let text = ["expired": "viewer", "revoked": "editor"][token] ?? token
        let answer = await fixture.answer("POST", Self.path, body: #"{"token":"\#(text)"}"#)
        let missing = await fixture.answer("GET", "/api/v1/summary")
        #expect(answer.status == 401 && answer.text == missing.text)
        #expect(answer.header("Set-Cookie") == nil && fixture.store.now.sessions.isEmpty)
    }

    @Test(arguments: [
        ("{", 400), ("", 400), ("[]", 422), ("\"x\"", 422), (#"{"token":1}"#, 422), (#"{"token":null}"#, 422),
        ("{}", 422),
        (#"{"token":"viewer","name":"x"}"#, 422), (#"{"token":"nobody","token":"viewer"}"#, 400),
        (#"{"token":""}"#, 422), (#"{"token":"\#(String(repeating: "x", count: 513))"}"#, 422),
        (#"{"token":"a\nb"}"#, 422), (#"{"token":"viewer"} x"#, 400),
    ])
    func `A body that is no sign-in says why`(body: String, status: Int) async {
        #expect(await EdgeFixture().answer("POST", Self.path, body: body).status == status)
    }

    @Test func `While no token exists all is open on loopback, and that is told`() async {
        let fixture = EdgeFixture(tokens: false)
        let text = await fixture.answer("GET", Self.path).text
        #expect(text.hasPrefix(#"{"open":true,"authenticated":false,"via":"loopback","name":null,"role":"admin","#))
        #expect(await EdgeFixture(listen: "0.0.0.0", tokens: false).answer("GET", Self.path).status == 401)
    }

    @Test func `A bearer beats a cookie, a bad one too`() async {
        let fixture = EdgeFixture()
        let cookie = await fixture.cookie(.viewer)
        let both = [cookie, ("Authorization", "Bearer admin")]
        #expect(await fixture.answer("GET", Self.path, both).text.contains(#""via":"token","name":"admin""#))
        #expect(await fixture.answer("GET", Self.path, [cookie, ("Authorization", "Bearer x")]).status == 401)
    }

    @Test(arguments: [
        "pinwatch_session=nothing", "pinwatch_session=", "pinwatch_session=session-1; pinwatch_session=other",
        "Pinwatch_session=session-1", "pinwatch_session", "",
    ])
    func `A cookie that is no session signs nobody in`(cookie: String) async {
        let fixture = EdgeFixture()
        _ = await fixture.cookie(.viewer)
        #expect(await fixture.answer("GET", Self.path, [("Cookie", cookie)]).status == 401)
    }
}

@Suite struct OriginTests {
    private static let path = "/api/v1/session"

    @Test(arguments: [
        ("http://localhost:8080", 204), ("http://LOCALHOST:8080", 204), ("https://pins.example.com", 204),
        ("https://pins.example.com:443", 204), ("http://localhost", 403), ("https://localhost:8080", 403),
        ("http://localhost:8081", 403), ("http://127.0.0.1:8080", 403), ("http://evil.example", 403),
        ("https://pins.example.com.evil.example", 403), ("http://pins.example.com", 403), ("null", 403), ("", 403),
    ])
    func `A write by session comes from this service's own origin`(origin: String, status: Int) async {
        let fixture = EdgeFixture(publicURL: "https://pins.example.com")
        let cookie = await fixture.cookie(.viewer)
        let answer = await fixture.answer("DELETE", Self.path, [cookie, ("Origin", origin)])
        #expect(answer.status == status)
        #expect(fixture.store.now.sessions.isEmpty == (status == 204))
    }

    @Test func `A write by session without an origin, with two, or across sites is refused`() async {
        let fixture = EdgeFixture()
        let cookie = await fixture.cookie(.viewer)
        let own = ("Origin", "http://localhost:8080")
        for headers in [
            [], [own, ("Origin", "http://evil.example")], [own, ("Sec-Fetch-Site", "cross-site")],
            [own, ("Sec-Fetch-Site", "same-site")],
        ] {
            #expect(await fixture.answer("DELETE", Self.path, [cookie] + headers).status == 403)
        }
        #expect(await fixture.answer("GET", Self.path, [cookie, ("Origin", "http://evil.example")]).status == 200)
        let all = [cookie, own, ("Sec-Fetch-Site", "same-origin")]
        #expect(await fixture.answer("DELETE", Self.path, all).status == 204)
    }

    @Test func `A bearer needs no origin`() async {
        let headers = [("Authorization", "Bearer viewer"), ("Origin", "http://evil.example")]
        #expect(await EdgeFixture().answer("DELETE", Self.path, headers).status == 204)
    }

    @Test(
        arguments: [
            ([], 204), ([("Origin", "http://localhost:8080")], 204), ([("Origin", "http://evil.example")], 403),
            ([("Origin", "null")], 403), ([("Sec-Fetch-Site", "cross-site")], 403),
        ] as [([(String, String)], Int)])
    func `What is open on loopback is not open to other pages`(headers: [(String, String)], status: Int) async {
        #expect(await EdgeFixture(tokens: false).answer("DELETE", Self.path, headers).status == status)
    }

    @Test func `Nobody is signed in by another page`() async {
        let headers = [("Origin", "http://evil.example")]
        #expect(await EdgeFixture().answer("POST", Self.path, headers, body: #"{"token":"viewer"}"#).status == 403)
    }

    @Test(arguments: [
        ("application/json", 201), ("application/json; charset=utf-8", 201),
        ("Application/JSON;charset=\"UTF-8\"", 201),
        ("application/json; charset=latin1", 415), ("text/plain", 415), ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415), ("application/merge-patch+json", 415), ("", 415), ("json", 415),
    ])
    func `A body is JSON, said to be so`(type: String, status: Int) async {
        let headers = [("Content-Type", type)]
        let answer = await EdgeFixture().answer("POST", Self.path, headers, body: #"{"token":"viewer"}"#)
        #expect(answer.status == status)
    }

    @Test func `A form is refused even where its body is not read`() async {
        let headers = [("Authorization", "Bearer viewer"), ("Content-Type", "text/plain"), ("Content-Length", "3")]
        #expect(await EdgeFixture().answer("DELETE", Self.path, headers).status == 415)
    }
}
