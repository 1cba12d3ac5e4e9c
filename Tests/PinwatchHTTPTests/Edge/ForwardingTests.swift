import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct ForwardingTests {
    private func resolve(_ peer: String?, _ headers: [(String, String)], secure: Bool = false) -> Request {
        let forwarding = Forwarding(trusted: ["10.0.0.0/8", "::1/128"].compactMap { IPNetwork($0) })
        return forwarding.resolve(
            Request(
                target: "/", headers: headers.map { .init($0.0, $0.1) }, peer: peer.map(address), isSecure: secure))
    }

    @Test(arguments: [
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"), ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7, 10.1.1.1", "198.51.100.7"),
        ("10.0.0.1", "10.2.2.2,10.1.1.1", "10.2.2.2"), ("10.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
        ("10.0.0.1", "[2001:db8::7]:80", "2001:db8::7"), ("10.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "unknown", "10.0.0.1"), ("10.0.0.1", "198.51.100.7, junk", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::1", "198.51.100.7", "198.51.100.7"), ("10.0.0.1", ",,", "10.0.0.1"),
    ])
    func `The client is the first from the right that no trusted proxy is`(peer: String, list: String, client: String) {
        #expect(resolve(peer, [("X-Forwarded-For", list)]).peer == address(client))
    }

    @Test func `Several headers are one list`() {
        let headers = [("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-For", "10.1.1.1")]
        #expect(resolve("10.0.0.1", headers).peer == address("203.0.113.9"))
    }

    @Test(arguments: [
        ("10.0.0.1", "https", true), ("10.0.0.1", "HTTPS", true), ("10.0.0.1", "http", false),
        ("10.0.0.1", "https, http", false), ("192.0.2.1", "https", false), (nil, "https", false),
    ])
    func `Only a trusted proxy tells how the client came`(peer: String?, scheme: String, isSecure: Bool) {
        #expect(resolve(peer, [("X-Forwarded-Proto", scheme)]).isSecure == isSecure)
        #expect(resolve("192.0.2.1", [("X-Forwarded-Proto", "http")], secure: true).isSecure)
    }

    @Test func `Behind a trusted proxy that speaks TLS, cookies and origins are those of TLS`() async {
        let fixture = EdgeFixture(proxies: ["127.0.0.0/8"])
        let forwarded = [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "198.51.100.7"), ("Host", "localhost")]
        let answer = await fixture.answer("POST", "/api/v1/session", forwarded, body: #"{"token":"viewer"}"#)
        #expect(answer.header("Set-Cookie")?.hasPrefix("__Host-pinwatch_session=") == true)
        #expect(fixture.store.now.changes.first?.address == address("198.51.100.7"))
        let write = forwarded + [("Cookie", "__Host-pinwatch_session=session-1"), ("Origin", "https://localhost")]
        #expect(await fixture.answer("DELETE", "/api/v1/session", write).status == 204)
    }
}
