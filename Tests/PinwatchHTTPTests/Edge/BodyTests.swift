import PinwatchCore
import Testing

@testable import PinwatchHTTP

/// Bodies on a real socket, to routes that keep up to 1,000 bytes of them.
@Suite(.timeLimit(.minutes(5))) struct BodyTests {
    private func serve(
        _ limits: ServerLimits = ServerLimits(), gate: Gate? = nil, held: Counter = Counter(),
        _ body: (Server) async throws -> Void
    ) async throws {
        let server = try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), threads: 2, limits: limits,
            respond: { request in
                if request.target == "/hold" {
                    _ = held.next()
                    await gate?.wait()
                }
                let peer = request.peer?.description ?? "nobody"
                return Response(type: "text/plain", body: request.body + Array(" from \(peer)".utf8))
            },
            refuse: { $0.response }, bodyLimit: { _, target in target == "/none" ? nil : 1_000 })
        do { try await body(server) } catch {
            await server.stop(within: .zero)
            throw error
        }
        await server.stop(within: .seconds(5))
    }

    /// Returns once so many requests to `/hold` have their bodies here.
    private func wait(for count: Int, _ held: Counter) async throws {
        while held.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func post(_ target: String, _ body: String, chunks: Int? = nil) -> String {
        let start = "POST \(target) HTTP/1.1\r\nHost: localhost\r\n"
        guard let chunks else { return start + "Content-Length: \(body.utf8.count)\r\n\r\n" + body }
        var (text, rest) = (start + "Transfer-Encoding: chunked\r\n\r\n", body[...])
        while !rest.isEmpty {
            let piece = rest.prefix(chunks)
            text += String(piece.utf8.count, radix: 16) + "\r\n" + piece + "\r\n"
            rest = rest.dropFirst(chunks)
        }
        return text + "0\r\n\r\n"
    }

    @Test(arguments: [nil, 1, 7, 1_000])
    func `A body arrives whole, however it is cut, and the next request after it`(chunks: Int?) async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            let body = String(repeating: "abcdefghij", count: 100)
            for _ in 0..<3 {
                for byte in post("/", body, chunks: chunks).utf8 { try await peer.send([byte]) }
                #expect(try await peer.answer().body == body + " from 127.0.0.1")
            }
        }
    }

    @Test(arguments: [nil, 100, 5_000])
    func `One byte too many is 413`(chunks: Int?) async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send(post("/", String(repeating: "a", count: 1_001), chunks: chunks))
            #expect(try await peer.answer().status == 413)
        }
    }

    @Test func `What is not asked for is read past, and not kept`() async throws {
        try await serve { server in
            let peer = try await Peer(server.address)
            try await peer.send(post("/none", String(repeating: "a", count: 900_000)) + post("/", "next"))
            #expect(try await peer.answer().body == " from 127.0.0.1")
            #expect(try await peer.answer().body == "next from 127.0.0.1")
        }
    }

    @Test func `Bodies that would take too much memory together are refused, and later ones are not`() async throws {
        var limits = ServerLimits()
        (limits.bodies, limits.smallBody) = (2_500, 0)
        let (gate, held) = (Gate(), Counter())
        try await serve(limits, gate: gate, held: held) { server in
            let body = String(repeating: "a", count: 1_000)
            let holders = [try await Peer(server.address), try await Peer(server.address)]
            for holder in holders { try await holder.send(post("/hold", body)) }
            try await wait(for: 2, held)
            var statuses: Set<Int> = []
            while !statuses.contains(503) {
                let peer = try await Peer(server.address)
                try await peer.send(post("/", body))
                let answer = try await peer.answer()
                statuses.insert(answer.status)
                if answer.status == 503 { #expect(answer.headers["retry-after"] == "5") }
            }
            let small = try await Peer(server.address)
            try await small.send(post("/", "small"))
            #expect(try await small.answer().status == 200)
            gate.open()
            for holder in holders { #expect(try await holder.answer().status == 200) }
            var status = 503
            while status == 503 {
                let peer = try await Peer(server.address)
                try await peer.send(post("/", body))
                status = try await peer.answer().status
            }
            #expect(status == 200)
        }
    }

    @Test func `Small bodies are taken whatever large ones hold`() async throws {
        var limits = ServerLimits()
        (limits.bodies, limits.smallBody) = (500, 500)
        let (gate, held) = (Gate(), Counter())
        try await serve(limits, gate: gate, held: held) { server in
            let holder = try await Peer(server.address)
            try await holder.send(post("/hold", String(repeating: "a", count: 1_000)))
            try await wait(for: 1, held)
            var status = 200
            while status == 200 {
                let large = try await Peer(server.address)
                try await large.send(post("/", String(repeating: "a", count: 600)))
                status = try await large.answer().status
            }
            #expect(status == 503)
            let small = try await Peer(server.address)
            try await small.send(post("/", String(repeating: "a", count: 500)))
            #expect(try await small.answer().status == 200)
            gate.open()
            #expect(try await holder.answer().status == 200)
        }
    }

    @Test func `The service keeps what a route takes, and nothing for what takes none`() {
        let service = EdgeFixture().service
        #expect(service.bodyLimit(method: "POST", target: "/api/v1/session") == 4_096)
        for (method, target) in [
            ("GET", "/api/v1/session"), ("POST", "/api/v1/summary"), ("POST", "/nothing"), ("BREW", "/api/v1/session"),
            ("POST", "/%"), ("DELETE", "/api/v1/session"),
        ] {
            #expect(service.bodyLimit(method: method, target: target) == nil)
        }
    }
}
