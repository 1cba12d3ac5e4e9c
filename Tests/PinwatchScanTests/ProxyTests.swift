import PinwatchCore
import PinwatchScan
import TestSupport
import Testing

@Suite("Scans through a proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
    typealias Step = LoopbackServer.Step
    private static let opened = Step.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
    private static let alert = Step.send([21, 3, 3, 0, 2, 2, 112])

    private func bench(
        _ port: UInt16, host: String = "127.0.0.1", no exceptions: [EgressProxy.Exception] = [],
        milliseconds: Int64 = 5_000
    ) -> ScanBench {
        var bench = ScanBench(timeoutMilliseconds: milliseconds)
        let host = IPAddress(host).map { TargetHost.address($0) } ?? .name(HostName(checked: host))
        bench.settings.proxy = EgressProxy(host: host, port: port, exceptions: exceptions)
        return bench
    }

    private func message(_ outcome: Outcome?) -> String {
        guard case .object(let members) = outcome?.detail, case .string(let text) = members.first?.1 else { return "" }
        return text
    }

    @Test func `the checked address is asked for, at every hello, and TLS follows`() async throws {
        let proxy = try LoopbackServer(.hear, Self.opened, .hear, .send([21, 3, 3, 0, 2, 2, 40]), .close)
        var bench = bench(proxy.port)
        bench.resolver.answers["a.test"] = .success(["192.0.2.7", "2001:db8::7"].compactMap { IPAddress($0) })
        let scan = try await bench.scan(ScanBench.target(port: 8443, host: "a.test", sni: "a.test")).first
        #expect(scan?.observations.map(\.outcome.word) == ["alert", "alert", "alert", "alert"])
        let asked = proxy.heard.map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("CONNECT") }
        #expect(
            asked.filter { $0.hasPrefix("CONNECT 192.0.2.7:8443 HTTP/1.1\r\nHost: 192.0.2.7:8443\r\n\r\n") }.count == 2)
        #expect(asked.filter { $0.hasPrefix("CONNECT [2001:db8::7]:8443 HTTP/1.1\r\n") }.count == 2)
    }

    @Test func `a denied address is not asked for, though the proxy's own is denied too`() async throws {
        let proxy = try LoopbackServer(.hear, Self.opened, .hear, Self.alert, .close)
        var bench = bench(proxy.port)
        bench.settings.denyAddresses = ["169.254.0.0/16", "127.0.0.0/8"].compactMap { IPNetwork($0) }
        bench.resolver.answers["a.test"] = .success(["169.254.169.254", "192.0.2.7"].compactMap { IPAddress($0) })
        let scan = try await bench.scan(ScanBench.target(port: 443, host: "a.test")).first
        #expect(
            scan?.observations.map(\.outcome) == [
                .blockedByPolicy(rule: "deny_addresses 169.254.0.0/16"), .alert(number: 112, name: "unrecognized_name"),
                .alert(number: 112, name: "unrecognized_name"),
            ])
        #expect(!proxy.heard.contains { String(decoding: $0, as: UTF8.self).contains("169.254") })
    }

    @Test func `what is excepted is connected to directly`() async throws {
        let server = try LoopbackServer(.hear, .send([1]), .close)
        let proxy = try LoopbackServer(.hear, .send(Array("HTTP/1.1 403 no\r\n\r\n".utf8)), .close)
        let network = try #require(IPNetwork("127.0.0.1"))
        var bench = bench(proxy.port, no: [.network(network), .below(HostName(checked: "in.test"))])
        for host in ["a.in.test", "b.test"] {
            bench.resolver.answers[host] = .success(["127.0.0.1", "127.0.0.2"].compactMap { IPAddress($0) })
        }
        func words(_ host: String) async throws -> [String]? {
            try await bench.scan(ScanBench.target(port: server.port, host: host)).first?.observations.map(
                \.outcome.word)
        }
        #expect(try await words("b.test") == ["not_tls", "proxy_refused"])
        #expect(try await words("a.in.test") == ["not_tls", "connect_refused"])
    }

    @Test(arguments: [
        (
            [Step.hear, .send(Array("HTTP/1.1 407 no\r\n\r\n".utf8)), .close], "proxy_refused",
            "wants a user and password (407)"
        ),
        (
            [.hear, .send(Array("HTTP/1.1 403 no\r\n\r\n".utf8)), .stall], "proxy_refused",
            "does not allow a connection"
        ),
        ([.send(Array("220 mail\r\n".utf8)), .stall], "proxy_refused", "it is no HTTP proxy"),
        ([.hear, .close], "proxy_refused", "closed the connection before it opened a way to 192.0.2.7:443"),
        ([.hear, .reset], "proxy_refused", "reset the connection before it opened a way"),
        ([.hear, .stall], "connect_timeout", "took the connection, but neither opened a way to 192.0.2.7:443"),
        (
            [.hear, .drip(Array("HTTP/1.1 200 OK and then\r\n".utf8), everyMilliseconds: 40)], "connect_timeout",
            "opened a way"
        ),
        ([.hear, .send(Array("HTTP/1.1 200 OK\r\n\r\nEVIL".utf8)), .stall], "not_tls", ""),
        ([.hear, Self.opened, .send(Array("EVIL".utf8)), .stall], "not_tls", ""),
        (
            [.hear, .send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [22, 3, 3]), .stall], "proxy_refused",
            "before any hello"
        ),
        ([.hear, Self.opened, .stall], "handshake_timeout", "did not answer the hello"),
    ])
    func `what a proxy does is told by outcome and name, in time`(script: [Step], word: String, words: String)
        async throws
    {
        let proxy = try LoopbackServer(script: script)
        let target = ScanBench.target(port: 443, host: "192.0.2.7")
        let observations = try await bench(proxy.port, milliseconds: 700).scan(target).flatMap(\.observations)
        #expect(observations.map(\.outcome.word) == [word])
        let told = message(observations.first?.outcome)
        if word != "not_tls" { #expect(told.contains(words), "\(told)") }
        if ["proxy_refused", "connect_timeout"].contains(word) {
            #expect(told.hasPrefix("The proxy 127.0.0.1:\(proxy.port) "), "\(told)")
        }
    }

    @Test func `a greeting that comes with the proxy's answer belongs to the dialogue`() async throws {
        let proxy = try LoopbackServer(
            .hear, .send(Array("HTTP/1.1 200 OK\r\n\r\n220 mail.test\r\n".utf8)), .hear,
            .send(Array("250 STARTTLS\r\n".utf8)), .hear, .send(Array("220 go\r\n".utf8)), .hear, Self.alert, .close)
        let target = ScanBench.target(port: 25, host: "192.0.2.7", startTLS: .smtp)
        let observations = try await bench(proxy.port).scan(target).flatMap(\.observations)
        #expect(observations.first?.outcome == .alert(number: 112, name: "unrecognized_name"), "\(observations)")
    }

    @Test func `a proxy by name is resolved, and tried at each of its addresses`() async throws {
        let proxy = try LoopbackServer(.hear, Self.opened, .hear, .send([1]), .close)
        var bench = bench(proxy.port, host: "proxy.test")
        bench.resolver.answers["proxy.test"] = .success(["127.0.0.9", "127.0.0.1"].compactMap { IPAddress($0) })
        let target = ScanBench.target(port: 443, host: "192.0.2.7")
        #expect(try await bench.scan(target).flatMap(\.observations).map(\.outcome) == [.notTLS(firstBytes: [1])])
    }

    @Test func `a proxy that cannot be reached or resolved says nothing of the host`() async throws {
        var bench = bench(1, host: "proxy.test")
        let target = ScanBench.target(port: 443, host: "192.0.2.7")
        let unresolved = try await bench.scan(target).flatMap(\.observations).map(\.outcome)
        #expect(
            unresolved == [
                .proxyRefused(
                    message: "The proxy proxy.test:1 cannot be reached, which says nothing about 192.0.2.7:443: "
                        + "proxy.test is not in the test's list.")
            ])
        bench.resolver.answers["proxy.test"] = .success([try #require(ScanBench.loopback)])
        let refused = try await bench.scan(target).flatMap(\.observations).map(\.outcome)
        #expect(refused.map(\.word) == ["proxy_refused"] && message(refused.first).contains("Connection refused"))
    }
}
