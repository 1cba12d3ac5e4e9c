import FoundationEssentials
import Glibc
import PinwatchCore
import Testing

@testable import PinwatchHTTP

/// Many clients that do nothing, or too little.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CrowdTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Lets this process have the descriptors that both ends of the crowd take.
    private func raiseDescriptors() throws {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 16_384)
        let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try #require(result == 0 && limit.rlim_cur >= 9_000)
    }

    private func server(_ limits: ServerLimits) throws -> Server {
        let service = EdgeFixture(tokens: false).service
        return try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), threads: 2, limits: limits,
            respond: { await service.respond(to: $0) }, refuse: { service.refuse($0) })
    }

    @Test func `Two thousand idle connections and slow headers leave others served, and are cut`() async throws {
        try raiseDescriptors()
        var limits = ServerLimits()
        limits.receiveTicks = 20
        let server = try server(limits)
        var idle: [Peer] = []
        for _ in 0..<2_000 { idle.append(try await Peer(server.address)) }
        for peer in idle.prefix(500) { try await peer.send("GET /healthz HTTP/1.1\r\nHost: lo") }
        for peer in idle.suffix(500) {
            try await peer.send("POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        }
        for _ in 0..<50 {
            let peer = try await Peer(server.address)
            try await peer.send(Self.get)
            #expect(try await peer.answer().status == 200)
        }
        #expect(server.connections["receiving"] ?? 0 >= 2_000)
        for peer in idle.prefix(20) + idle.suffix(20) { try await peer.end(within: .seconds(60)) }
        let peer = try await Peer(server.address)
        try await peer.send(Self.get)
        #expect(try await peer.answer().status == 200)
        await server.stop(within: .zero)
    }

    @Test func `Four thousand connections that were used and are kept take little memory`() async throws {
        try raiseDescriptors()
        var limits = ServerLimits()
        limits.inactivitySeconds = 120
        limits.receiveTicks = 1_000
        let server = try server(limits)
        let before = residentBytes()
        var kept: [Peer] = []
        for _ in 0..<4_000 {
            let peer = try await Peer(server.address)
            try await peer.send(Self.get)
            #expect(try await peer.answer().status == 200)
            kept.append(peer)
        }
        let grown = residentBytes() - before
        print("\(kept.count) kept connections: \(grown >> 10) KiB resident, both ends")
        #expect(grown < 130 << 20)
        kept = []
        await server.stop(within: .zero)
    }

    private func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
