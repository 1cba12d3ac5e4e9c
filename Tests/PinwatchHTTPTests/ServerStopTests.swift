import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite(.timeLimit(.minutes(5))) struct ServerStopTests {
    private let started = Gate()
    private let gate = Gate()

    private func server() throws -> Server {
        let (started, gate) = (started, gate)
        return try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), threads: 2,
            respond: { request in
                if request.target == "/quick" { return Response(type: "text/plain", body: []) }
                started.open()
                await gate.wait()
                return Response(type: "text/plain", body: Array("done".utf8))
            }, refuse: { $0.response })
    }

    private func suspended(_ server: Server) async throws -> Peer {
        let peer = try await Peer(server.address)
        try await peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await started.wait()
        return peer
    }

    @Test func `What is being computed comes to its end, and nothing new is accepted`() async throws {
        let server = try server()
        let peer = try await suspended(server)
        async let stopped: Void = server.stop(within: .seconds(20))
        gate.open()
        #expect(try await peer.answer().body == "done")
        await stopped
        try await peer.end()
        await #expect(throws: Peer.Failure.self) {
            let late = try await Peer(server.address)
            try await late.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await late.answer()
        }
        await server.stop(within: .zero)
    }

    @Test func `What does not come to its end is answered 503 at the limit`() async throws {
        let server = try server()
        let peer = try await suspended(server)
        async let stopped: Void = server.stop(within: .milliseconds(50))
        #expect(try await peer.answer().status == 503)
        await stopped
        gate.open()
    }

    @Test func `While stopping, a connection that was kept gets 503`() async throws {
        let server = try server()
        let kept = try await Peer(server.address)
        let peer = try await suspended(server)
        async let stopped: Void = server.stop(within: .seconds(20))
        var answer: Peer.Answer
        repeat {
            try await kept.send("GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = try await kept.answer()
        } while answer.status == 200
        #expect(answer.status == 503 && answer.headers["connection"]?.lowercased() == "close")
        gate.open()
        #expect(try await peer.answer().body == "done")
        await stopped
    }

    @Test func `After a stop the port is another's to have`() async throws {
        let first = try server()
        await first.stop(within: .zero)
        let second = try Server(
            listen: first.address, threads: 2, respond: { _ in Response(status: 204) }, refuse: { $0.response })
        #expect(second.address == first.address)
        await second.stop(within: .zero)
    }

    @Test func `A server that is let go of without a stop takes no suspended connection with it`() async throws {
        let peer = try await suspended(try server())
        gate.open()
        try await peer.end()
    }
}
