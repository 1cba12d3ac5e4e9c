import PinwatchCore
import Synchronization
import Testing

@testable import PinwatchHTTP

/// The daemon on a real socket, spoken to byte by byte.
@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Runs a server over a service, and stops it after the body.
    private func serve(
        _ limits: ServerLimits = ServerLimits(), respond: (@Sendable (Request) async -> Response)? = nil,
        _ body: (Server) async throws -> Void
    ) async throws {
        let service = Fixture().service
        let server = try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), threads: 2, limits: limits,
            respond: respond ?? { await service.respond(to: $0) }, refuse: { service.refuse($0) })
        do { try await body(server) } catch {
            await server.stop(within: .zero)
            throw error
        }
        await server.stop(within: .seconds(5))
    }

    private func isProblem(_ answer: Peer.Answer, _ status: Int) -> Bool {
        answer.status == status && answer.headers["content-type"] == "application/problem+json"
            && answer.headers["content-security-policy"] != nil
            && answer.body.contains(#""status":\#(status)"#)
    }

    @Test func `The real port is told, and a second server cannot have it`() async throws {
        try await serve { server in
            #expect(server.address.port != 0)
            #expect(throws: HTTPFailure.self) {
                try Server(
                    listen: server.address, threads: 1, respond: { _ in Response(status: 204) },
                    refuse: { $0.response })
            }
        }
    }

    @Test func `It listens on IPv6 as well`() async throws {
        let service = Fixture().service
        let server = try Server(
            listen: ListenAddress(address: address("::1"), port: 0), threads: 1,
            respond: { await service.respond(to: $0) }, refuse: { service.refuse($0) })
        #expect(server.address.port != 0)
        await server.stop(within: .zero)
    }

    @Test func `Requests follow one another on a connection, and pipelined ones keep their order`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            for _ in 0..<3 {
                try await peer.send(Self.get)
                #expect(try await peer.answer().body == #"{"status":"ok"}"#)
            }
            try await peer.send(Self.get + Self.get.replacing("healthz", with: "nothing") + Self.get)
            #expect(try await peer.answer().status == 200)
            #expect(try await peer.answer().status == 404)
            #expect(try await peer.answer().status == 200)
        }
    }

    @Test func `HEAD has the length of the body and none of it`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send(Self.get.replacing("GET", with: "HEAD") + Self.get)
            let head = try await peer.answer(toHead: true)
            #expect(head.status == 200 && head.headers["content-length"] == "15")
            #expect(try await peer.answer().body == #"{"status":"ok"}"#)
        }
    }

    @Test func `A tag that still holds gets 304 and the connection goes on`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send(Self.get)
            let tag = try #require(try await peer.answer().headers["etag"])
            try await peer.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \(tag)\r\n\r\n" + Self.get)
            #expect(try await peer.answer().status == 304)
            #expect(try await peer.answer().status == 200)
        }
    }

    @Test func `OPTIONS has no body and the connection goes on`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send(Self.get.replacing("GET", with: "OPTIONS") + Self.get)
            #expect(try await peer.answer().status == 204)
            #expect(try await peer.answer().status == 200)
        }
    }

    @Test(arguments: [
        ("Host: evil.example\r\n", 421), ("", 400), ("Host: localhost\r\nHost: localhost\r\n", 400),
    ])
    func `A bad Host is a problem on the wire too`(headers: String, status: Int) async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send("GET /healthz HTTP/1.1\r\n\(headers)\r\n")
            #expect(isProblem(try await peer.answer(), status))
        }
    }

    @Test(arguments: [10_500, 12_000, 15_000, 40_000])
    func `Headers that are too large get 431, far too large ones in the library's words`(size: Int) async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            let filler = "X: \(String(repeating: "x", count: size))\r\n"
            try await peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\(filler)\r\n")
            let answer = try await peer.answer()
            #expect(size > 15_000 ? answer.status == 431 : isProblem(answer, 431))
            try await peer.end()
        }
    }

    @Test func `Headers without an end are cut off`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            let line = "X: \(String(repeating: "x", count: 1_000))\r\n"
            await #expect(throws: Peer.Failure.self) {
                try await peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
                for _ in 0..<20_000 { try await peer.send(line) }
            }
        }
    }

    @Test(arguments: [1, 300, 400, 2_000, 4_000])
    func `A query of very many fields is answered, and read whole`(fields: Int) async throws {
        let target = "/healthz?" + String(repeating: "a&", count: fields)
        try await serve(respond: { Response(status: $0.target == target ? 204 : 500) }) { server in
            let peer = try await Peer(server.address)
            for _ in 0..<2 {
                try await peer.send(Self.get.replacing("/healthz", with: target))
                #expect(try await peer.answer().status == 204)
            }
        }
    }

    @Test func `A target that is too long gets 414`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(isProblem(try await peer.answer(), 414))
        }
    }

    @Test func `A small body is read past, and the next request is not taken from it`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            let body = Self.get
            for method in ["POST", "GET", "PUT"] {
                try await peer.send(
                    "\(method) /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                #expect(try await peer.answer().status == (method == "GET" ? 200 : 405))
            }
            try await peer.send(Self.get)
            #expect(try await peer.answer().status == 200)
        }
    }

    @Test func `A body that is too large gets 413, sent whole or only announced`() async throws {
        try await serve { server in
            let start = "POST /api/v1/targets HTTP/1.1\r\nHost: localhost\r\n"
            let whole = try await Peer(server.address)
            try await whole.send("\(start)Content-Length: 2000000\r\n\r\n")
            try await whole.send([UInt8](repeating: 0x61, count: 2_000_000))
            #expect(isProblem(try await whole.answer(), 413))
            let expecting = try await Peer(server.address)
            try await expecting.send("\(start)Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n")
            #expect(isProblem(try await expecting.answer(), 413))
            let huge = try await Peer(server.address)
            try await huge.send("\(start)Content-Length: 99999999999999999999\r\n\r\n")
            #expect([413, 400].contains(try await huge.answer().status))
            let chunk = "100000\r\n" + String(repeating: "a", count: 0x100000) + "\r\n"
            let chunked = try await Peer(server.address)
            try await chunked.send("\(start)Transfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)0\r\n\r\n")
            #expect(isProblem(try await chunked.answer(), 413))
        }
    }

    @Test func `A chunked flood is cut off`() async throws {
        var limits = ServerLimits()
        limits.swallowed = 2 << 20
        try await serve(limits) { server in
            let peer = try await Peer(server.address)
            try await peer.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array(("100000\r\n" + String(repeating: "a", count: 0x100000) + "\r\n").utf8)
            await #expect(throws: Peer.Failure.self) {
                for _ in 0..<64 { try await peer.send(chunk) }
            }
        }
    }

    @Test func `A body framed in two ways is refused and the connection ends`() async throws {
        try await serve { server in
            for framing in [
                "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 6",
            ] {
                let peer = try await Peer(server.address)
                try await peer.send("POST /healthz HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n")
                #expect(try await peer.answer().status == 400)
                try await peer.end()
            }
        }
    }

    @Test(arguments: ["garbage\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n\r\n"])
    func `What is no HTTP ends that connection and no other`(text: String) async throws {
        try await serve { server in
            let bad = try await Peer(server.address)
            try await bad.send(text)
            bad.leave()
            let good = try await Peer(server.address)
            try await good.send(Self.get)
            #expect(try await good.answer().status == 200)
        }
    }

    @Test func `Peers that stall or drip lose their connections, and delay nobody`() async throws {
        var limits = ServerLimits()
        limits.tick = .milliseconds(20)
        limits.receiveTicks = 10
        try await serve(limits) { server in
            let stalled = try await Peer(server.address)
            try await stalled.send("GET /healthz HTTP/1.1\r\nHo")
            let dripping = try await Peer(server.address)
            let good = try await Peer(server.address)
            try await good.send(Self.get)
            #expect(try await good.answer().status == 200)
            await #expect(throws: Peer.Failure.self) {
                for byte in String(repeating: "GET / HTTP/1.1 ", count: 1_000) {
                    try await dripping.send(String(byte))
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            try await stalled.end()
        }
    }

    @Test func `A handler that does not end is answered 503, and its late answer is dropped`() async throws {
        var limits = ServerLimits()
        limits.tick = .milliseconds(20)
        limits.computeTicks = 5
        let gate = Gate()
        let respond: @Sendable (Request) async -> Response = { request in
            if request.target == "/slow" { await gate.wait() }
            return Response(type: "text/plain", body: Array("done".utf8))
        }
        try await serve(limits, respond: respond) { server in
            let peer = try await Peer(server.address)
            try await peer.send(Self.get.replacing("healthz", with: "slow"))
            #expect(isProblem(try await peer.answer(), 503))
            gate.open()
            try await peer.send(Self.get)
            #expect(try await peer.answer().body == "done")
        }
    }

    @Test func `Two hundred connections at once are all answered`() async throws {
        let gate = Gate()
        let waiting = Mutex(0)
        let respond: @Sendable (Request) async -> Response = { request in
            if waiting.withLock({
                $0 += 1; return $0
            }) == 200 {
                gate.open()
            }
            await gate.wait()
            return Response(type: "text/plain", body: Array(request.target.utf8))
        }
        try await serve(respond: respond) { server in
            var peers: [Peer] = []
            for number in 0..<200 {
                let peer = try await Peer(server.address)
                try await peer.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                peers.append(peer)
            }
            for (number, peer) in peers.enumerated() { #expect(try await peer.answer().body == "/\(number)") }
        }
    }

    @Test func `A peer that leaves while its answer is computed harms nothing`() async throws {
        let gate = Gate()
        let respond: @Sendable (Request) async -> Response = { request in
            if request.target == "/slow" { await gate.wait() }
            return Response(type: "text/plain", body: [UInt8](repeating: 0x61, count: 1 << 20))
        }
        try await serve(respond: respond) { server in
            for _ in 0..<20 {
                let peer = try await Peer(server.address)
                try await peer.send(Self.get.replacing("healthz", with: "slow"))
                peer.leave()
            }
            gate.open()
            let peer = try await Peer(server.address)
            try await peer.send(Self.get)
            #expect(try await peer.answer().body.utf8.count == 1 << 20)
        }
    }
}
