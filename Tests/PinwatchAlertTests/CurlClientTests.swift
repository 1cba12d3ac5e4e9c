import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchAlert

@Suite(.timeLimit(.minutes(5))) struct CurlClientTests {
    private func client(timeout: Int = 10_000) throws -> CurlClient {
        try CurlClient(userAgent: "pinwatch/test", timeoutMilliseconds: timeout)
    }

    private func request(_ url: String, allowPrivate: Bool = true, body: [UInt8] = [1, 0, 2]) -> HTTPRequest {
        HTTPRequest(
            url: Secret(url), headers: [HTTPHeader("webhook-id", "msg_a")], body: body,
            addresses: AddressRule(allowPrivate: allowPrivate))
    }

    @Test func `The bytes, the headers and the agent arrive, and the status comes back`() async throws {
        let receiver = try HTTPReceiver { _, _ in .status(204) }
        let exchange = try await client().send(request(receiver.url("/hook?a=b")))
        #expect(exchange.outcome == .success(HTTPAnswer(status: 204)))
        let seen = try #require(receiver.requests.first)
        #expect(seen.line == "POST /hook?a=b HTTP/1.1")
        #expect(seen.body == [1, 0, 2])
        #expect(seen.headers["webhook-id"] == "msg_a")
        #expect(seen.headers["user-agent"] == "pinwatch/test")
        #expect(seen.headers["expect"] == nil)
    }

    @Test("Statuses come back as they are, redirects unfollowed", arguments: [200, 301, 302, 307, 404, 410, 500, 503])
    func statuses(status: Int) async throws {
        let receiver = try HTTPReceiver { _, _ in .status(status, headers: ["Location": "/elsewhere"], body: "words") }
        let exchange = try await client().send(request(receiver.url()))
        let location = (300..<400).contains(status) ? receiver.url("/elsewhere") : nil
        #expect(
            exchange.outcome == .success(HTTPAnswer(status: status, location: location, body: Array("words".utf8))))
        #expect(receiver.requests.count == 1)
    }

    @Test func `Retry-After comes back as sent, whatever its case`() async throws {
        let receiver = try HTTPReceiver { _, _ in .status(429, headers: ["rEtRy-AfTeR": "120"]) }
        let exchange = try await client().send(request(receiver.url()))
        #expect(exchange.outcome == .success(HTTPAnswer(status: 429, retryAfter: " 120")))
    }

    @Test func `An interim answer is not the answer`() async throws {
        let text = "HTTP/1.1 103 Early\r\nRetry-After: 9\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
        let receiver = try HTTPReceiver { _, _ in .raw(text) }
        #expect(try await client().send(request(receiver.url())).outcome == .success(HTTPAnswer(status: 200)))
    }

    @Test func `An endless body is cut off, and its status counts`() async throws {
        let receiver = try HTTPReceiver { _, _ in .endless(500) }
        let outcome = try await client().send(request(receiver.url())).outcome
        guard case .success(let answer) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(answer.status == 500)
        #expect(answer.beginning.utf8.count == 4_096)
    }

    @Test(
        "What is no answer is a failure in words",
        arguments: ["", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 100 Continue\r\n\r\n"])
    func noAnswer(text: String) async throws {
        let receiver = try HTTPReceiver { _, _ in .raw(text) }
        guard case .failure(.transport(let words)) = try await client().send(request(receiver.url())).outcome else {
            Issue.record("taken for an answer: \(text)")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test func `A receiver that says nothing is given up when the time is over`() async throws {
        let receiver = try HTTPReceiver { _, _ in .stall }
        let exchange = try await client(timeout: 300).send(request(receiver.url()))
        #expect(exchange.outcome == .failure(.timedOut(milliseconds: 300)))
        // libcurl counts its time-out and the total with two readings of the clock.
        #expect((290...5_000).contains(exchange.milliseconds))
    }

    @Test func `A refused connection is a failure that does not name the path`() async throws {
        let port = try HTTPReceiver { _, _ in .stall }.port
        let outcome = try await client().send(request("http://127.0.0.1:\(port)/very-secret-path")).outcome
        guard case .failure(.transport(let words)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(words.contains("127.0.0.1"))
        #expect(!words.contains("very-secret-path"))
    }

    @Test(
        "Loopback is refused without allow_private, by address, by mapped address and by name",
        arguments: ["127.0.0.1", "127.1", "[::ffff:127.0.0.1]", "localhost", "0x7f000001"])
    func privateRefused(host: String) async throws {
        let receiver = try HTTPReceiver { _, _ in .status(200) }
        let outcome = try await client().send(request(receiver.url(host: host), allowPrivate: false)).outcome
        guard case .failure(.addressPrivate(let address)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(address.isLoopback)
        #expect(receiver.requests.isEmpty)
    }

    @Test("Loopback is reached with allow_private", arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
    func privateAllowed(host: String) async throws {
        let receiver = try HTTPReceiver { _, _ in .status(200) }
        let outcome = try await client().send(request(receiver.url(host: host))).outcome
        #expect(outcome == .success(HTTPAnswer(status: 200)))
    }

    @Test func `A metadata address is refused even with allow_private`() async throws {
        let outcome = try await client().send(request("http://169.254.169.254/latest")).outcome
        #expect(outcome == .failure(.addressDenied(try #require(IPAddress("169.254.169.254")))))
    }

    @Test(
        "Only http and https are spoken",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://", "nonsense://x"])
    func schemes(url: String) async throws {
        #expect(try await client().send(request(url)).outcome == .failure(.urlMalformed))
    }

    @Test func `A stalling receiver does not delay another, and cancelling ends its try`() async throws {
        let slow = try HTTPReceiver { _, _ in .stall }
        let fast = try HTTPReceiver { _, _ in .status(200) }
        let client = try client(timeout: 50_000)
        let stalling = Task { await client.send(request(slow.url())) }
        _ = try await slow.requests(atLeast: 1)
        for _ in 1...20 {
            #expect(await client.send(request(fast.url())).outcome == .success(HTTPAnswer(status: 200)))
        }
        stalling.cancel()
        #expect(await stalling.value.outcome == .failure(.cancelled))
    }

    @Test func `A try that is cancelled before it starts sends nothing`() async throws {
        let receiver = try HTTPReceiver { _, _ in .status(200) }
        let client = try client()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await client.send(request(receiver.url()))
        }
        #expect(await task.value.outcome == .failure(.cancelled))
        #expect(receiver.requests.isEmpty)
    }

    @Test func `A client that nobody holds any more ends its thread and frees the library's handles`() async throws {
        let receiver = try HTTPReceiver { _, _ in .status(200) }
        weak var loop: CurlLoop?
        do {
            let client = try client()
            loop = client.loop
            #expect(await client.send(request(receiver.url())).outcome == .success(HTTPAnswer(status: 200)))
        }
        while loop != nil { await Task.yield() }
    }
}
