import PinwatchCore
import PinwatchScan
import TestSupport
import Testing

@Suite("Resolver", .timeLimit(.minutes(5)))
struct CaresResolverTests {
    private func resolve(
        _ name: String, by resolver: CaresResolver, within milliseconds: Int64 = 3_000
    ) async -> Result<[IPAddress], ResolveFailure> {
        await withCheckedContinuation { continuation in
            resolver.resolve(HostName(checked: name), timeoutMilliseconds: milliseconds) {
                continuation.resume(returning: $0)
            }
        }
    }

    @Test("localhost resolves to loopback without a network")
    func localhost() async throws {
        let resolver = try CaresResolver(servers: "127.0.0.1:9")
        defer { resolver.stop() }
        let addresses = try await resolve("localhost", by: resolver).get()
        #expect(!addresses.isEmpty && addresses.allSatisfy(\.isLoopback))
        #expect(Set(addresses).count == addresses.count)
    }

    @Test("a server that does not answer ends the lookup at its deadline")
    func silence() async throws {
        let silent = try SilentDatagrams()
        let resolver = try CaresResolver(servers: "127.0.0.1:\(silent.port)", tryMilliseconds: 30_000)
        defer { resolver.stop() }
        let clock = ContinuousClock()
        let began = clock.now
        let result = await resolve("silent.test", by: resolver, within: 200)
        #expect(result == .failure(ResolveFailure(message: "silent.test did not resolve within 200 ms.")))
        #expect(clock.now - began < .seconds(15))
    }

    @Test("a stopped resolver fails what is under way and what comes after")
    func stopped() async throws {
        let silent = try SilentDatagrams()
        let resolver = try CaresResolver(servers: "127.0.0.1:\(silent.port)", tryMilliseconds: 5_000)
        async let pending = resolve("pending.test", by: resolver, within: 50_000)
        await silent.waitForQuestion()
        resolver.stop()
        let message = "was not looked up, for scanning is being stopped."
        #expect(await pending == .failure(ResolveFailure(message: "pending.test \(message)")))
        #expect(await resolve("late.test", by: resolver) == .failure(ResolveFailure(message: "late.test \(message)")))
    }

    @Test("a name is asked for again once its time to live is over, and not before", arguments: [(600, 1), (0, 3)])
    func lifetimes(seconds: UInt32, questions: Int) async throws {
        let server = try NameServer(lifetime: seconds)
        let resolver = try CaresResolver(servers: "127.0.0.1:\(server.port)")
        defer { resolver.stop() }
        for _ in 0..<3 {
            let addresses = try await resolve("kept.test", by: resolver, within: 20_000).get()
            #expect(addresses.map(\.description) == ["192.0.2.1"])
        }
        #expect(server.questions == questions)
        _ = await resolve("other.test", by: resolver, within: 20_000)
        #expect(server.questions == questions + 1)
    }

    @Test("answers that belong to no question are none, and hold up no other name")
    func lies() async throws {
        let server = try NameServer(lifetime: 600)
        let resolver = try CaresResolver(servers: "127.0.0.1:\(server.port)", tryMilliseconds: 30_000)
        defer { resolver.stop() }
        async let lie = resolve("lie.test", by: resolver, within: 2_000)
        #expect(try await resolve("true.test", by: resolver, within: 20_000).get().count == 1)
        if case .success(let addresses) = await lie { Issue.record("it was believed: \(addresses)") }
        #expect(try await resolve("next.test", by: resolver, within: 20_000).get().count == 1)
    }

    @Test("servers that are no addresses are refused")
    func badServers() {
        #expect(throws: ScanError.self) { try CaresResolver(servers: "not a server") }
    }
}
