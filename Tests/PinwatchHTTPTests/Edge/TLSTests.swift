import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchHTTP

/// The service's own port under TLS, seen by another library's client.
@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let end = #"{"status":"ok"}"#

    private func certificate(_ name: String, key: TestKey = TestKey()) -> (ServerCertificate, TestCertificate) {
        let certificate = TestPKI.selfSigned(dns: [name], key: key)
        return (
            ServerCertificate(chain: certificate.certificatePEM, key: Secret(certificate.privateKeyPEM)), certificate
        )
    }

    private func serve(
        _ certificate: ServerCertificate, _ limits: ServerLimits = ServerLimits(),
        _ body: (Server, UInt16) async throws -> Void
    ) async throws {
        let service = EdgeFixture(tokens: false).service
        let server = try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), certificate: certificate, threads: 2,
            limits: limits, respond: { await service.respond(to: $0) }, refuse: { service.refuse($0) })
        do { try await body(server, server.address.port) } catch {
            await server.stop(within: .zero)
            throw error
        }
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: [LoopbackTLSClient.Version.tls12, .tls13])
    func `The chain is presented, and answers say to come by TLS only`(version: LoopbackTLSClient.Version) async throws
    {
        let issuer = TestCA.root()
        let leaf = issuer.leaf(dns: ["a.test"])
        let chain = ServerCertificate(
            chain: TestPKI.chainPEM(leaf, issuer.certificate), key: Secret(leaf.privateKeyPEM))
        try await serve(chain) { _, port in
            let (presented, text) = try await blocking {
                let client = try LoopbackTLSClient(port: port, version: version)
                return (client.chain, client.exchange(Self.get, until: Self.end))
            }
            #expect(presented == [leaf.der, issuer.certificate.der])
            #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("Strict-Transport-Security: max-age=31536000\r\n"))
        }
    }

    @Test func `Older versions are refused`() async throws {
        try await serve(certificate("a.test").0) { _, port in
            await #expect(throws: LoopbackTLSClient.Refused.self) {
                try await blocking { _ = try LoopbackTLSClient(port: port, version: .tls11) }
            }
        }
    }

    @Test func `Plain HTTP on the port is cut off, and silence too`() async throws {
        var limits = ServerLimits()
        limits.tick = .milliseconds(20)
        limits.receiveTicks = 20
        try await serve(certificate("a.test").0, limits) { server, port in
            let silent = try await Peer(server.address)
            let plain = try await Peer(server.address)
            try await plain.send(Self.get)
            try await plain.end()
            try await silent.end()
            let text = try await blocking {
                try LoopbackTLSClient(port: port).exchange(Self.get, until: Self.end)
            }
            #expect(text.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `A new certificate is presented to new connections, and the old ones go on`() async throws {
        let (old, oldLeaf) = certificate("old.test")
        let (new, newLeaf) = certificate("new.test")
        try await serve(old) { server, port in
            let exchange: @Sendable () throws -> ([[UInt8]], String) = {
                let client = try LoopbackTLSClient(port: port)
                return (client.chain, client.exchange(Self.get, until: Self.end))
            }
            #expect(try await blocking(exchange).0 == [oldLeaf.der])
            let texts = try await blocking {
                let client = try LoopbackTLSClient(port: port)
                let before = client.exchange(Self.get, until: Self.end)
                try server.replace(new)
                try server.replace(new)
                return [before, client.exchange(Self.get, until: Self.end)]
            }
            #expect(texts.allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
            for _ in 0..<10 { #expect(try await blocking(exchange).0 == [newLeaf.der]) }
        }
    }

    @Test func `Certificates may change again and again, whatever is connected`() async throws {
        var limits = ServerLimits()
        limits.tick = .milliseconds(20)
        limits.retireTicks = 5
        let key = TestKey()
        try await serve(certificate("0.test", key: key).0, limits) { server, port in
            for number in 1...12 {
                let (pair, leaf) = certificate("\(number).test", key: key)
                let kept = try await Peer(server.address)
                try server.replace(pair)
                let presented = try await blocking { try LoopbackTLSClient(port: port).chain }
                #expect(presented == [leaf.der])
                if number == 12 { try await kept.end() }
            }
        }
    }

    @Test(arguments: ["another key", "no certificate", "no key", "junk", "nothing"])
    func `A pair that cannot be used is refused with its reason, and the old one goes on`(fault: String) async throws {
        let (old, leaf) = certificate("old.test")
        let (new, _) = certificate("new.test")
        let bad =
            switch fault {
            case "another key": ServerCertificate(chain: new.chain, key: old.key)
            case "no certificate": ServerCertificate(chain: "", key: new.key)
            case "no key": ServerCertificate(chain: new.chain, key: Secret(""))
            case "junk": ServerCertificate(chain: "junk", key: Secret("junk"))
            default: ServerCertificate(chain: "", key: Secret(""))
            }
        try await serve(old) { server, port in
            let failure = #expect(throws: HTTPFailure.self) { try server.replace(bad) }
            guard case .certificate(let reason) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(!reason.isEmpty && !reason.contains("\n"))
            let presented = try await blocking { try LoopbackTLSClient(port: port).chain }
            #expect(presented == [leaf.der])
        }
        #expect(throws: HTTPFailure.self) {
            try Server(
                listen: ListenAddress(address: address("127.0.0.1"), port: 0), certificate: bad, threads: 2,
                respond: { _ in Response(status: 204) }, refuse: { $0.response })
        }
    }

    @Test func `A plain port takes no certificate`() async throws {
        let server = try Server(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), threads: 2,
            respond: { _ in Response(status: 204) }, refuse: { $0.response })
        #expect(throws: HTTPFailure.self) { try server.replace(certificate("a.test").0) }
        await server.stop(within: .zero)
    }
}
