import FoundationEssentials
import PinwatchCore
import Testing

@testable import PinwatchHTTP

/// Readers of the events stream, on real sockets.
@Suite(.timeLimit(.minutes(2))) struct StreamTests {
    private static func limits() -> ServerLimits {
        var limits = ServerLimits()
        limits.tick = .milliseconds(20)
        limits.computeTicks = 1_000
        limits.receiveTicks = 1_000
        limits.sendTicks = 1_000
        limits.streamStallTicks = 3_000
        return limits
    }

    /// Runs a server over a fixture that is open on loopback, and stops it after the body.
    private func serve(
        _ fixture: EdgeFixture = EdgeFixture(tokens: false), _ limits: ServerLimits = limits(),
        _ body: (Server, EdgeFixture) async throws -> Void
    ) async throws {
        let service = fixture.service
        let server = try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), threads: 2, limits: limits,
            respond: { await service.respond(to: $0) }, refuse: { service.refuse($0) },
            bodyLimit: { service.bodyLimit(method: $0, target: $1) })
        do { try await body(server, fixture) } catch {
            await server.stop(within: .zero)
            throw error
        }
        await server.stop(within: .seconds(5))
    }

    private func ids(_ range: ClosedRange<Int>) -> [String] { range.map { String($0) } }

    @Test func `A reader hears of what happens from now on, with its number`() async throws {
        try await serve { server, fixture in
            fixture.hub.publish(commit(1..<4))
            let peer = try await StreamPeer(server.address)
            try await peer.open()
            #expect(peer.text.hasPrefix("retry: 3000\n\n"))
            #expect(peer.head.contains("Content-Type: text/event-stream\r\n"))
            #expect(peer.head.contains("Cache-Control: no-store\r\n") && !peer.head.contains("ETag"))
            fixture.hub.publish(commit(4..<7))
            let events = try await peer.events(3)
            #expect(events.map(\.id) == ids(4...6) && events.allSatisfy { $0.name == "key.changed" })
            #expect(events.first?.data?.hasPrefix(#"{"id":"4","kind":"key.changed","at":"#) == true)
        }
    }

    @Test(arguments: [("/api/v1/events/stream", "Last-Event-ID: 5\r\n"), ("/api/v1/events/stream?after=5", "")])
    func `A reader that comes back gets each event once: from the store, then as it happens`(
        target: String, headers: String
    ) async throws {
        try await serve { server, fixture in
            fixture.store.change { $0.events = (1...200).map { eventRecord($0) } }
            let peer = try await StreamPeer(server.address)
            try await peer.open(target, headers)
            // Stored and published while the reader is on its way through the store, in either order.
            for first in stride(from: Int64(201), to: 400, by: 10) {
                fixture.store.change { $0.events += (first..<first + 10).map { eventRecord($0) } }
                fixture.hub.publish(commit(first..<first + 10))
                await Task.yield()
            }
            #expect(try await peer.events(395).map(\.id) == ids(6...400))
            #expect(fixture.store.now.pages.first == 5)
        }
    }

    @Test func `What the ring still has is not read from the store`() async throws {
        try await serve { server, fixture in
            fixture.store.change { $0.events = (1...20).map { eventRecord($0) } }
            fixture.hub.publish(commit(11..<21))
            let peer = try await StreamPeer(server.address)
            try await peer.open("/api/v1/events/stream?after=12")
            #expect(try await peer.events(8).map(\.id) == ids(13...20))
            #expect(fixture.store.now.pages.isEmpty)
        }
    }

    @Test func `A reader from a database that was set back hears of what happens now`() async throws {
        try await serve { server, fixture in
            fixture.store.change { $0.events = [eventRecord(1)] }
            let peer = try await StreamPeer(server.address)
            try await peer.open("/api/v1/events/stream", "Last-Event-ID: 9000\r\n")
            try await peer.read { !$0.changes.isEmpty }
            fixture.store.change { $0.events.append(eventRecord(2)) }
            fixture.hub.publish(commit(2..<3))
            #expect(try await peer.events(1).map(\.id) == ["2"])
        }
    }

    @Test func `Changes are told together, once a tick, and leave the number alone`() async throws {
        try await serve { server, fixture in
            let peer = try await StreamPeer(server.address)
            try await peer.open()
            for topic in Commit.Topic.allCases { fixture.hub.publish(commit(topics: [topic])) }
            fixture.hub.publish(commit(topics: [.pinSets, .targets]))
            try await peer.read { peer in
                Commit.Topic.allCases.allSatisfy { peer.changes.joined().contains($0.rawValue) }
            }
            #expect(peer.changes.count <= 3, "\(peer.changes)")
            #expect(peer.events.allSatisfy { $0.id == nil })
        }
    }

    @Test(arguments: [
        ("?after=x", 400), ("?after=-1", 400), ("?after=1&after=2", 400), ("?before=1", 400), ("?after=", 400),
    ])
    func `A place that is none is refused`(query: String, status: Int) async {
        let answer = await EdgeFixture(tokens: false).answer("GET", "/api/v1/events/stream" + query)
        #expect(answer.status == status && answer.stream == nil)
    }

    @Test func `A session that ends takes its stream with it at the next heartbeat`() async throws {
        try await serve(EdgeFixture()) { server, fixture in
            let cookie = await fixture.cookie(.viewer)
            let peer = try await StreamPeer(server.address)
            try await peer.open("/api/v1/events/stream", "\(cookie.0): \(cookie.1)\r\n")
            try await peer.read { $0.text.contains(": heartbeat\n\n") }
            fixture.change(.viewer) { $0.revokedAt = PinwatchHTTPTests.now }
            #expect(try await peer.read { _ in false } == false)
            let nobody = try await Peer(server.address)
            try await nobody.send("GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await nobody.answer().status == 401)
        }
    }

    @Test(arguments: ["Authorization: Bearer viewer\r\n", nil])
    func `A token that is revoked takes its streams with it at once, and nobody else's`(headers: String?) async throws {
        // Without ticks there are no heartbeats: nothing but the commit can end a stream.
        var limits = Self.limits()
        limits.tick = .seconds(1_000)
        limits.inactivitySeconds = 600
        try await serve(EdgeFixture(), limits) { server, fixture in
            let cookie = await fixture.cookie(.viewer)
            let mine = try await StreamPeer(server.address)
            try await mine.open("/api/v1/events/stream", headers ?? "\(cookie.0): \(cookie.1)\r\n")
            let other = try await StreamPeer(server.address)
            try await other.open("/api/v1/events/stream", "Authorization: Bearer editor\r\n")
            fixture.change(.viewer) { $0.revokedAt = PinwatchHTTPTests.now }
            var revoked = Commit()
            revoked.endsAccess = true
            fixture.hub.publish(revoked)
            #expect(try await mine.read { _ in false } == false)
            fixture.hub.publish(commit(1..<2))
            #expect(try await other.events(1).map(\.id) == ["1"])
        }
    }

    @Test func `A store that fails ends the stream, and its reason is in the log once`() async throws {
        struct Broken: Error {}
        try await serve { server, fixture in
            fixture.store.change { $0.events = [eventRecord(1)] }
            fixture.store.change { $0.failure = Broken() }
            let peer = try await StreamPeer(server.address)
            try await peer.open("/api/v1/events/stream?after=0")
            #expect(try await peer.read { _ in false } == false)
            #expect(fixture.lines.all.count == 1)
        }
    }

    /// More than the sockets hold for a reader that does not read.
    private func fill(_ hub: EventHub) {
        let filler = String(repeating: "x", count: 15_000)
        for id in Int64(1)...50 { hub.publish(commit(id..<id + 1, summary: filler)) }
    }

    @Test func `Stopping ends streams at once, those that do not read included`() async throws {
        try await serve { server, fixture in
            let reading = try await StreamPeer(server.address)
            let deaf = try await StreamPeer(server.address, receiveBuffer: 4_096)
            try await reading.open()
            try await deaf.open()
            fill(fixture.hub)
            try await reading.read { $0.body.count > 750_000 }
            let start = ContinuousClock.now
            await server.stop(within: .seconds(60))
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(try await reading.read { _ in false } == false)
        }
    }

    @Test func `A peer that takes nothing is cut off, and one that left is noticed`() async throws {
        var limits = Self.limits()
        limits.streamStallTicks = 10
        try await serve(EdgeFixture(tokens: false), limits) { server, fixture in
            let gone = try await StreamPeer(server.address)
            let deaf = try await StreamPeer(server.address, receiveBuffer: 4_096)
            try await deaf.open()
            try await gone.open()
            gone.leave()
            fill(fixture.hub)
            while fixture.hub.counts.readers > 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func `Of two hundred readers one does not read: the others miss nothing, and it is dropped`() async throws {
        // Without ticks there are no heartbeats, so every reader gets the same bytes.
        var limits = Self.limits()
        limits.tick = .seconds(1_000)
        limits.inactivitySeconds = 600
        try await serve(EdgeFixture(tokens: false), limits) { server, fixture in
            let deaf = try await StreamPeer(server.address, receiveBuffer: 4_096)
            try await deaf.open()
            var peers: [StreamPeer] = []
            for _ in 1..<200 {
                let peer = try await StreamPeer(server.address)
                try await peer.open()
                peers.append(peer)
            }
            // First what fills the sockets of the one, then more than the ring holds.
            fill(fixture.hub)
            var expected =
                EventFrame.retry
                + (1...50).flatMap { id in
                    EventFrame.event(eventRecord(id, summary: String(repeating: "x", count: 15_000)))
                }
            for first in stride(from: Int64(51), to: 1_251, by: 200) {
                for peer in peers { try await peer.read { $0.body.count >= expected.count } }
                fixture.hub.publish(commit(first..<first + 200))
                expected += (first..<first + 200).flatMap { EventFrame.event(eventRecord($0, summary: "x")) }
            }
            for peer in peers {
                try await peer.read { $0.body.count >= expected.count }
                let isSame = Data(peer.body) == Data(expected)
                #expect(isSame)
            }
            #expect(fixture.hub.counts.dropped == 0 && fixture.hub.counts.readers == 200)
            #expect(try await deaf.read { _ in false } == false)
            #expect(fixture.hub.counts.dropped == 1)
        }
    }
}
