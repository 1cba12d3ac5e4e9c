import PinwatchCore
import PinwatchScan
import TestSupport
import Testing

@Suite("Scanner", .timeLimit(.minutes(5)))
struct ScannerTests {
    private func liveServer(_ folder: TestDirectory) throws -> LoopbackOpenSSL {
        let files = try folder.writeServer("live", TestPKI.selfSigned(dns: ["live.test"]))
        return try LoopbackOpenSSL(["-cert", files.chain, "-key", files.key])
    }

    @Test("stalling targets do not delay live ones")
    func stalling() async throws {
        let stalled = try LoopbackServer(.hear, .stall)
        let folder = try TestDirectory()
        let live = try liveServer(folder)
        let scanner = try ScanBench(timeoutMilliseconds: 50_000).scanner()
        for id in 1...400 {
            let port = id.isMultiple(of: 2) ? stalled.port : live.port
            #expect(scanner.submit(ScanBench.target(port: port, id: Int64(id)), at: TestPKI.now))
        }
        var outcomes: [Outcome] = []
        while outcomes.count < 200 {
            let scans = await scanner.nextScans()
            outcomes += scans.flatMap(\.observations).map(\.outcome)
            scanner.release(scans.count)
        }
        await scanner.stop(limitMilliseconds: 0)
        #expect(outcomes.allSatisfy { $0 == .ok })
        #expect(await scanner.nextScans().isEmpty)
    }

    @Test("a target with many stalling addresses leaves slots to others")
    func fairness() async throws {
        let stalled = try LoopbackServer(.hear, .stall)
        let folder = try TestDirectory()
        let live = try liveServer(folder)
        let scanner = try ScanBench(timeoutMilliseconds: 50_000, inFlight: 4).scanner()
        let many = (1...6).map { "127.0.0.\($0)" }
        scanner.submit(ScanBench.target(port: stalled.port, host: "many.test", addresses: many, id: 1), at: TestPKI.now)
        scanner.submit(ScanBench.target(port: live.port, id: 2), at: TestPKI.now)
        let first = await scanner.nextScans()
        #expect(first.map(\.target.id) == [TargetID(2)])
        await scanner.stop(limitMilliseconds: 0)
        #expect(await scanner.nextScans().isEmpty)
    }

    @Test("scans that are not released hold their places")
    func backpressure() async throws {
        let server = try LoopbackServer(.send(Array("220 hello\r\n".utf8)), .close)
        let scanner = try ScanBench(inFlight: 1).scanner()
        for id in 1...5 { scanner.submit(ScanBench.target(port: server.port, id: Int64(id)), at: TestPKI.now) }
        var taken: [TargetID] = []
        while taken.count < 2 { taken += await scanner.nextScans().map(\.target.id) }
        #expect(taken == [TargetID(1), TargetID(2)])
        scanner.release(1)
        taken += await scanner.nextScans().map(\.target.id)
        #expect(taken == [TargetID(1), TargetID(2), TargetID(3)])
        await scanner.stop(limitMilliseconds: 100)
        #expect(!scanner.submit(ScanBench.target(port: server.port), at: TestPKI.now))
    }

    @Test("waiting for scans ends with its task, and with the scanner")
    func endOfWaiting() async throws {
        let scanner = try ScanBench().scanner()
        let cancelled = Task { await scanner.nextScans() }
        cancelled.cancel()
        #expect(await cancelled.value.isEmpty)
        let waiting = Task { await scanner.nextScans() }
        await scanner.stop(limitMilliseconds: 100)
        #expect(await waiting.value.isEmpty)
    }

    @Test("stopping lets a running scan finish within the limit")
    func stopping() async throws {
        let stalled = try LoopbackServer(.hear, .stall)
        let scanner = try ScanBench(timeoutMilliseconds: 300).scanner()
        scanner.submit(ScanBench.target(port: stalled.port), at: TestPKI.now)
        while stalled.heard.isEmpty { await Task.yield() }
        await scanner.stop(limitMilliseconds: 5_000)
        #expect(await scanner.nextScans().flatMap(\.observations).map(\.outcome.word) == ["handshake_timeout"])
        #expect(await scanner.nextScans().isEmpty)
    }

    @Test("an IP literal sends no server name, a name sends its own")
    func serverName() async throws {
        let server = try LoopbackServer(.hear, .send([1]), .close)
        var bench = ScanBench()
        bench.resolver.answers["strict.test"] = .success([IPAddress("127.0.0.1")].compactMap { $0 })
        let literal = ScanBench.target(port: server.port, id: 1)
        let named = ScanBench.target(port: server.port, host: "strict.test", sni: "strict.test", id: 2)
        _ = try await bench.scan(literal)
        _ = try await bench.scan(named)
        let heard = server.heard.map { hello in hello.firstRange(of: Array("strict.test".utf8)) != nil }
        #expect(heard == [false, true])
        #expect(server.heard.first?.firstRange(of: Array("127.0.0.1".utf8)) == nil)
    }

    @Test("a name that does not resolve gives one observation without an address")
    func unresolved() async throws {
        let scans = try await ScanBench().scan(ScanBench.target(port: 443, host: "nowhere.test", sni: "nowhere.test"))
        #expect(scans.count == 1)
        #expect(scans.first?.resolved == nil)
        #expect(scans.first?.observations.map(\.outcome.word) == ["resolve_failed"])
        #expect(scans.first?.observations.first?.address == nil)
    }

    @Test("a denied address is not connected to and names its rule, beside addresses that are visited")
    func denied() async throws {
        let server = try LoopbackServer(.hear, .send([1]), .close)
        var bench = ScanBench()
        bench.resolver.answers["mixed.test"] = .success(
            ["169.254.169.254", "127.0.0.1", "127.0.0.1", "64:ff9b::a9fe:a9fe"].compactMap { IPAddress($0) })
        let scan = try await bench.scan(ScanBench.target(port: server.port, host: "mixed.test")).first
        #expect(scan?.resolved == [IPAddress("127.0.0.1")].compactMap { $0 })
        #expect(
            scan?.observations.map(\.outcome) == [
                .blockedByPolicy(rule: "deny_addresses 169.254.0.0/16"), .notTLS(firstBytes: [1]),
                .blockedByPolicy(rule: "deny_addresses 169.254.0.0/16"),
            ])
    }

    @Test(
        "the addresses policy and bound choose among what was resolved",
        arguments: [
            (AddressPolicy.all, 16, 3), (.all, 2, 2), (.first, 16, 1),
        ])
    func addressPolicy(_ policy: AddressPolicy, _ bound: Int, _ visited: Int) async throws {
        let server = try LoopbackServer(.hear, .send([1]), .close)
        var bench = ScanBench(timeoutMilliseconds: 1_000)
        bench.settings.addresses = policy
        bench.settings.maxAddresses = bound
        bench.resolver.answers["three.test"] = .success(
            ["127.0.0.1", "127.0.0.2", "127.0.0.3"].compactMap { IPAddress($0) })
        let scan = try await bench.scan(ScanBench.target(port: server.port, host: "three.test")).first
        #expect(
            scan?.observations.map(\.outcome.word)
                == ["not_tls", "connect_refused", "connect_refused"].prefix(visited).map { $0 })
        #expect(scan?.resolved?.count == visited)
    }
}
