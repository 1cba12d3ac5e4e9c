import PinwatchCore
import PinwatchScan
import TestSupport
import Testing

@Suite("Real OpenSSL servers", .timeLimit(.minutes(5)))
struct OpenSSLServerTests {
    private static let root = TestCA.root()

    private func serve(
        _ kind: TestKey.Kind, _ arguments: [String] = [], in folder: TestDirectory
    ) throws -> (server: LoopbackOpenSSL, chain: Chain) {
        let intermediate = Self.root.intermediate()
        let leaf = intermediate.leaf(dns: ["a.test"], key: TestKey(kind))
        let files = try folder.writeServer("server", leaf, intermediate.certificate)
        let server = try LoopbackOpenSSL(
            ["-cert", files.chain, "-cert_chain", files.chain, "-key", files.key, "-cipher", "ALL:@SECLEVEL=0"]
                + arguments)
        return (server, TestPKI.chain(der: [leaf.der, leaf.der, intermediate.der]))
    }

    @Test(
        "keys of every kind are observed by the phone hello",
        arguments: [
            TestKey.Kind.p256, .p384, .p521, .rsa1024, .rsa2048, .rsaPSS2048, .ed25519, .ed448, .p256ExplicitParameters,
        ])
    func keys(_ kind: TestKey.Kind) async throws {
        let folder = try TestDirectory()
        let (server, chain) = try serve(kind, in: folder)
        let observations = try await ScanBench().observe(port: server.port, sni: "a.test")
        #expect(observations.first?.chain?.certificates.first?.der == chain.certificates.first?.der)
        #expect(observations.map(\.outcome) == [.ok])
    }

    @Test(
        "curves and keys that no phone offers are observed by the legacy hello",
        arguments: [TestKey.Kind.secp256k1, .brainpoolP256, .dsa2048])
    func legacyKeys(_ kind: TestKey.Kind) async throws {
        let folder = try TestDirectory()
        let (server, chain) = try serve(kind, in: folder)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.profile) == [.phone, .legacy])
        #expect(observations.map(\.outcome.word) == ["alert", "ok"])
        #expect(observations.last?.chain?.certificates.first?.der == chain.certificates.first?.der)
    }

    @Test(
        "each version is observed by the first hello that offers it",
        arguments: [
            ("-tls1_3", ["ok"], TLSVersion.tls13), ("-tls1_2", ["ok"], .tls12),
            ("-tls1_1", ["protocol_unsupported", "ok"], .tls11), ("-tls1", ["protocol_unsupported", "ok"], .tls10),
        ])
    func versions(_ option: String, _ words: [String], _ version: TLSVersion) async throws {
        let folder = try TestDirectory()
        let (server, _) = try serve(.rsa2048, [option], in: folder)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.outcome.word) == words)
        #expect(observations.last?.tlsVersion == version)
        #expect(observations.last?.cipher?.hasPrefix("TLS_") == true)
        #expect(observations.last?.keyFamily == .ecdsa)
    }

    @Test(
        "a server that knows no key exchange but an old Diffie-Hellman is observed, and its prime told",
        arguments: [
            ("1024", OakleyGroup.second, 1_024, [Weakness.dh1024]), ("2048", OakleyGroup.fourteenth, 2_048, []),
        ])
    func diffieHellman(_ name: String, _ prime: String, _ bits: Int, _ weak: [Weakness]) async throws {
        let folder = try TestDirectory()
        let options = ["-tls1_2", "-cipher", "DHE-RSA-AES128-SHA:@SECLEVEL=0"]
        let parameters = try folder.write("dh\(name).pem", prime)
        let (server, _) = try serve(.rsa2048, options + ["-dhparam", parameters], in: folder)
        var bench = ScanBench()
        bench.hellos = .everyFamily
        let observations = try await bench.observe(port: server.port)
        #expect(observations.map(\.profile) == [.phone, .ecdsa, .rsa, .legacy])
        #expect(observations.map(\.outcome.word) == ["alert", "no_such_key_family", "ok", "ok"])
        #expect(observations.map(\.diffieHellmanBits) == [nil, nil, bits, bits])
        #expect(observations.last?.chain != nil)
        #expect(observations.last?.weaknesses(beside: []) == weak)
    }

    @Test("other key exchanges have no prime", arguments: ["ECDHE-RSA-AES128-SHA", "AES128-SHA"])
    func withoutPrime(_ cipher: String) async throws {
        let folder = try TestDirectory()
        let (server, _) = try serve(.rsa2048, ["-tls1_2", "-cipher", cipher + ":@SECLEVEL=0"], in: folder)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.outcome) == [.ok])
        #expect(observations.map(\.diffieHellmanBits) == [nil])
    }

    @Test("the chain is kept byte for byte as sent", arguments: ["-tls1_2", "-tls1_3"])
    func asSent(_ version: String) async throws {
        let folder = try TestDirectory()
        let (server, chain) = try serve(.p256, [version, "-alpn", "http/1.1"], in: folder)
        let observation = try await ScanBench().observe(port: server.port).first
        #expect(observation?.chain?.certificates.map(\.der) == chain.certificates.map(\.der))
        #expect(observation?.chain?.id == chain.id)
        #expect(observation?.alpn == "http/1.1")
        #expect(observation?.scts == 0)
    }

    @Test("a certificate of 10,000 names is kept byte for byte", arguments: ["-tls1_2", "-tls1_3"])
    func manyNames(_ version: String) async throws {
        let folder = try TestDirectory()
        let leaf = Self.root.leaf(dns: (0..<10_000).map { "host-\($0).example.test" })
        let files = try folder.writeServer("many", leaf)
        let server = try LoopbackOpenSSL(["-cert", files.chain, "-key", files.key, version])
        let observations = try await ScanBench().observe(port: server.port, sni: "host-9999.example.test")
        #expect(observations.map(\.outcome) == [.ok])
        #expect(observations.first?.chain == TestPKI.chain(leaf))
    }

    @Test("a client certificate that is required is told, and the chain kept", arguments: ["-tls1_2", "-tls1_3"])
    func clientCertificate(_ version: String) async throws {
        let folder = try TestDirectory()
        let (server, chain) = try serve(.p256, [version, "-Verify", "1"], in: folder)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.outcome.word) == ["client_certificate_required"], "\(observations.map(\.outcome))")
        #expect(observations.first?.chain == chain)
    }

    @Test("a client certificate that is asked for but not needed is no failure", arguments: ["-tls1_2", "-tls1_3"])
    func optionalClientCertificate(_ version: String) async throws {
        let folder = try TestDirectory()
        let (server, _) = try serve(.p256, [version, "-verify", "1"], in: folder)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.outcome) == [.ok])
    }

    @Test("a server without a certificate refuses the phone and shows none to the legacy hello")
    func anonymous() async throws {
        let server = try LoopbackOpenSSL(["-nocert", "-cipher", "ADH:@SECLEVEL=0", "-tls1_2"])
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.outcome.word) == ["alert", "no_certificate"])
    }

    @Test("a certificate swapped between two scans is seen by the second")
    func swap() async throws {
        let folder = try TestDirectory()
        let scanner = try ScanBench().scanner()
        var seen: [SHA256Digest?] = []
        for kind in [TestKey.Kind.p256, .rsa2048] {
            let (server, _) = try serve(kind, in: folder)
            #expect(scanner.submit(ScanBench.target(port: server.port), at: TestPKI.now))
            let scans = await scanner.nextScans()
            scanner.release(scans.count)
            seen += scans.flatMap(\.observations).map { $0.chain?.certificates.first?.fingerprint }
        }
        await scanner.stop(limitMilliseconds: 100)
        #expect(seen.count == 2 && seen[0] != nil && seen[0] != seen[1])
    }

    @Test(
        "both certificates of a server are seen by the hellos of their families",
        arguments: ["-tls1_2", "-tls1_3"])
    func families(_ version: String) async throws {
        let folder = try TestDirectory()
        let (ecdsa, rsa) = (
            Self.root.leaf(dns: ["a.test"], key: .init(.p256)), Self.root.leaf(dns: ["a.test"], key: .init(.rsa2048))
        )
        let files = (try folder.writeServer("ecdsa", ecdsa), try folder.writeServer("rsa", rsa))
        let server = try LoopbackOpenSSL([
            "-cert", files.0.chain, "-key", files.0.key, "-dcert", files.1.chain, "-dkey", files.1.key, version,
        ])
        var bench = ScanBench()
        bench.hellos = .everyFamily
        let observations = try await bench.observe(port: server.port, sni: "a.test")
        #expect(observations.map(\.profile) == [.phone, .ecdsa, .rsa])
        #expect(observations.map { $0.chain?.certificates.first?.der } == [ecdsa.der, ecdsa.der, rsa.der])
    }

    @Test(
        "a family that a server has not is told as such, whatever its issuers sign with",
        arguments: [("-tls1_2", TestKey.Kind.p256), ("-tls1_3", .p256), ("-tls1_2", .rsa2048), ("-tls1_3", .rsa2048)])
    func oneFamily(_ version: String, _ kind: TestKey.Kind) async throws {
        let folder = try TestDirectory()
        let issuer = TestCA.root(key: .init(kind == .p256 ? .rsa2048 : .p256))
        let leaf = issuer.leaf(dns: ["a.test"], key: .init(kind))
        let files = try folder.writeServer("one", leaf, issuer.certificate)
        let server = try LoopbackOpenSSL(["-cert", files.chain, "-cert_chain", files.chain, "-key", files.key, version])
        var bench = ScanBench()
        bench.hellos = .everyFamily
        let words = try await bench.observe(port: server.port, sni: "a.test").map(\.outcome.word)
        #expect(words == (kind == .p256 ? ["ok", "ok", "no_such_key_family"] : ["ok", "no_such_key_family", "ok"]))
    }
}
