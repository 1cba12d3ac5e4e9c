import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct HostRuleTests {
    @Test(arguments: [
        ("127.0.0.1", "localhost", 200), ("127.0.0.1", "LOCALHOST:9", 200), ("127.0.0.1", "127.0.0.1:8080", 200),
        ("127.0.0.1", "[::1]:8080", 200), ("127.0.0.1", "[0:0::1]", 200), ("127.0.0.1", "pins.example.com", 200),
        ("127.0.0.1", "evil.example", 421), ("127.0.0.1", "localhost.evil.example", 421),
        ("127.0.0.1", "10.0.0.1", 421), ("10.0.0.5", "10.0.0.5:80", 200), ("10.0.0.5", "localhost", 421),
        ("0.0.0.0", "192.0.2.7:8080", 200), ("0.0.0.0", "[2001:db8::1]", 200), ("0.0.0.0", "localhost", 200),
        ("0.0.0.0", "evil.example", 421), ("::", "192.0.2.7", 200), ("127.0.0.1", "", 400),
        ("127.0.0.1", "localhost:80:80", 400), ("127.0.0.1", "localhost:123456", 400), ("127.0.0.1", "[::1", 400),
        ("127.0.0.1", "user@localhost", 400), ("127.0.0.1", "local host", 400), ("127.0.0.1", ":80", 400),
    ])
    func `Only known names are answered, on any port`(listen: String, host: String, status: Int) async {
        let fixture = Fixture(listen: listen, publicURL: "https://pins.example.com/x")
        #expect(await fixture.answer("/healthz", [("Host", host)]).status == status)
    }

    @Test func `A request without Host, or with two, is refused`() async {
        let service = Fixture().service
        #expect(await service.respond(to: Request(target: "/healthz")).status == 400)
        let two = [Request.Header("Host", "localhost"), Request.Header("Host", "localhost")]
        #expect(await service.respond(to: Request(target: "/healthz", headers: two)).status == 400)
    }

    @Test func `The authority of an absolute target counts in place of Host`() async {
        #expect(await Fixture().answer("http://evil.example/healthz").status == 421)
        #expect(await Fixture().answer("http://localhost/healthz").status == 200)
    }
}

@Suite struct AuthenticationTests {
    private func contents(expires: Instant? = nil, revoked: Instant? = nil) -> StubReadingStore.Contents {
        var contents = StubReadingStore.Contents()
        let good = TokenRecord(id: 1, name: "a", role: .viewer, createdAt: now, expiresAt: nil, revokedAt: nil)
        contents.tokens[fakeDigest(Array("good".utf8))] = good
        contents.tokens[fakeDigest(Array("other".utf8))] = TokenRecord(
            id: 2, name: "b", role: .admin, createdAt: now, expiresAt: expires, revokedAt: revoked)
        return contents
    }

    @Test func `On loopback with no token made all is open`() async {
        #expect(await Fixture().answer("/api/v1/targets").status == 200)
    }

    @Test func `Beyond loopback nothing is open without a token, but health`() async {
        let fixture = Fixture(listen: "0.0.0.0")
        #expect(await fixture.answer("/api/v1/targets").status == 401)
        #expect(await fixture.answer("/metrics").status == 401)
        #expect(await fixture.answer("/healthz").status == 200)
        #expect(await fixture.answer("/readyz").status == 200)
    }

    @Test(arguments: [
        ("Bearer good", 200), ("bearer  good", 200), ("Bearer other", 200), ("Bearer bad", 401), ("Bearer", 401),
        ("Basic good", 401), ("good", 401), ("Bearer good x", 401), ("", 401), ("Bearer good, Bearer good", 401),
        ("Bearer " + String(repeating: "x", count: 600), 401),
    ])
    func `A bearer is let in by a known token only`(header: String, status: Int) async {
        let answer = await Fixture(contents()).answer("/api/v1/summary", [("Authorization", header)])
        #expect(answer.status == status)
    }

    @Test func `An expired, a revoked and an unknown token get the same answer`() async {
        let header = [("Authorization", "Bearer other")]
        let expired = await Fixture(contents(expires: now)).answer("/api/v1/summary", header)
        let revoked = await Fixture(contents(revoked: now)).answer("/api/v1/summary", header)
        let unknown = await Fixture(contents()).answer("/api/v1/summary", [("Authorization", "Bearer nobody")])
        #expect(expired.status == 401)
        #expect(expired.text == revoked.text && revoked.text == unknown.text)
        #expect(expired.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
        #expect(await Fixture(contents(expires: now + 1)).answer("/api/v1/summary", header).status == 200)
    }

    @Test func `Two Authorization headers are no token`() async {
        let twice = [("Authorization", "Bearer good"), ("Authorization", "Bearer good")]
        #expect(await Fixture(contents()).answer("/api/v1/summary", twice).status == 401)
    }
}

@Suite struct AcceptTests {
    @Test(arguments: [
        ("*/*", 200), ("application/json", 200), ("application/*", 200), ("text/html, application/json;q=0.1", 200),
        ("text/html", 406), ("application/json;q=0", 406), ("application/json;q=0, */*", 406),
        ("*/*;q=0.000", 406), ("text/html;q=1, */*;q=0", 406), ("APPLICATION/JSON", 200), ("garbage", 200),
        ("text/html, */*;q=0.8", 200),
    ])
    func `Accept that rules JSON out gets 406`(accept: String, status: Int) async {
        #expect(await Fixture().answer("/api/v1/summary", [("Accept", accept)]).status == status)
    }
}

@Suite struct MethodTests {
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "get", "TRACE", "BREW"])
    func `A method that is not offered gets 405 with Allow`(method: String) async {
        for path in ["/api/v1/summary", "/healthz", "/metrics"] {
            let answer = await Fixture().answer(path, method: method)
            #expect(answer.status == 405)
            #expect(answer.header("Allow") == "GET, HEAD, OPTIONS")
            #expect(answer.header("Content-Type") == "application/problem+json")
        }
    }

    @Test func `An unknown path is 404 whatever the method`() async {
        #expect(await Fixture().answer("/api/v1/nothing", method: "POST").status == 404)
        #expect(await Fixture().answer("/api/v1/targets/").status == 404)
        #expect(await Fixture().answer("/").status == 404)
    }

    @Test func `OPTIONS tells the methods without a body`() async {
        for (target, allowed) in [
            ("/api/v1/summary", "GET, HEAD, OPTIONS"), ("*", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"),
        ] {
            let answer = await Fixture().answer(target, method: "OPTIONS")
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            #expect(answer.header("Allow") == allowed)
        }
    }

    @Test func `HEAD is answered as GET is`() async {
        let fixture = Fixture()
        let (get, head) = (await fixture.answer("/healthz"), await fixture.answer("/healthz", method: "HEAD"))
        #expect(get.headers == head.headers && get.status == head.status)
    }

    @Test(arguments: ["/", "/healthz", "/api/v1/summary", "/nothing", "/%", "/metrics"])
    func `Every answer carries the security headers`(target: String) async throws {
        let answer = await Fixture().answer(target)
        let policy = try #require(answer.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.headers.filter { $0.name == "Content-Security-Policy" }.count == 1)
    }
}

@Suite struct EntityTagTests {
    @Test func `The tag of a body turns the next answer into 304`() async throws {
        let fixture = Fixture()
        let first = await fixture.answer("/api/v1/summary")
        let tag = try #require(first.header("ETag"))
        for value in [tag, "W/" + tag, "\"other\", \(tag)", "*"] {
            let answer = await fixture.answer("/api/v1/summary", [("If-None-Match", value)])
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
            #expect(answer.header("ETag") == tag)
        }
        #expect(await fixture.answer("/api/v1/summary", [("If-None-Match", "\"other\"")]).status == 200)
    }

    @Test func `Another body has another tag`() async {
        let fixture = Fixture()
        let first = await fixture.answer("/api/v1/summary").header("ETag")
        fixture.store.change { $0.summary.pinSets = 1 }
        #expect(await fixture.answer("/api/v1/summary").header("ETag") != first)
    }
}

@Suite struct FailureTests {
    struct Broken: Error, CustomStringConvertible {
        let description = "the secret reason"
    }

    @Test func `An unknown error shows an id that is in the log once, and nothing of the reason`() async {
        var contents = StubReadingStore.Contents()
        contents.failure = Broken()
        let fixture = Fixture(contents)
        let answer = await fixture.answer("/api/v1/targets")
        #expect(answer.status == 500)
        #expect(answer.text.contains("e-1") && !answer.text.contains("secret"))
        #expect(fixture.lines.all.count == 1)
        #expect(fixture.lines.all.first?.contains("e-1") == true)
        #expect(fixture.lines.all.first?.contains("the secret reason") == true)
    }

    @Test func `A store's refusal is a 400 that names the field, and is not logged`() async {
        var contents = StubReadingStore.Contents()
        contents.failure = StoreRefusal(field: "cursor", message: "is not one of this list's")
        let fixture = Fixture(contents)
        let answer = await fixture.answer("/api/v1/targets?cursor=x")
        #expect(answer.status == 400)
        #expect(answer.text.contains(#""errors":[{"field":"cursor","message":"is not one of this list's"}]"#))
        #expect(fixture.lines.all.isEmpty)
    }

    @Test func `A cancelled computation is 503`() async {
        var contents = StubReadingStore.Contents()
        contents.failure = CancellationError()
        #expect(await Fixture(contents).answer("/api/v1/targets").status == 503)
    }
}
