import Dispatch
import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchScan

@Suite("Servers that ask for a client certificate", .timeLimit(.minutes(2)))
struct ClientCertificateTests {
    private static let (root, clients) = (TestCA.root(), TestCA.root("Test Clients"))

    /// A server for `a.test` that wants a client of the authority, and a bench with a certificate for it.
    private func stage(
        _ options: [String], key: TestKey.Kind = .p256, in folder: TestDirectory
    ) throws -> (server: LoopbackOpenSSL, bench: ScanBench) {
        let issuing = Self.clients.intermediate()
        let files = try folder.writeServer("server", Self.root.leaf(dns: ["a.test"]))
        let server = try LoopbackOpenSSL(
            [
                "-cert", files.chain, "-key", files.key, "-Verify", "4", "-verify_return_error", "-CAfile",
                try folder.write("clients.pem", Self.clients.certificatePEM),
            ] + options)
        let shown = issuing.leaf(commonName: "scanner", key: TestKey(key), purposes: [TestCA.clientAuth])
        let chain = TestPKI.chainPEM(shown, issuing.certificate)
        var bench = ScanBench()
        bench.clientCertificates = [
            ScanBench.target(port: server.port, sni: "a.test").identity: try KeyPair.client(
                certificate: Array(chain.utf8), key: Array(shown.privateKeyPEM.utf8))
        ]
        return (server, bench)
    }

    private static func judge(by anchors: TestCA) throws -> Scanner.ServerJudge {
        let store = try TrustStore(name: "system", bundle: Array(anchors.certificatePEM.utf8))
        return { chain, name, reference in
            #expect(name == "system")
            return PathBuilder.assess(chain: chain, trustStore: store, at: TestPKI.now)
                .verification(at: TestPKI.now, for: reference)
        }
    }

    @Test(
        "one that is verified gets it with its issuers, signed by a key of any kind",
        arguments: ["-tls1_2", "-tls1_3"], [TestKey.Kind.p256, .p384, .rsa2048, .ed25519])
    func shown(_ version: String, _ key: TestKey.Kind) async throws {
        let folder = try TestDirectory()
        var (server, bench) = try stage([version], key: key, in: folder)
        bench.judgeServer = try Self.judge(by: Self.root)
        bench.hellos = .everyFamily
        let observations = try await bench.observe(port: server.port, sni: "a.test")
        #expect(observations.map(\.outcome.word) == ["ok", "ok", "no_such_key_family"], "\(observations)")
        #expect(observations.first?.chain?.certificates.count == 1)
    }

    @Test("one that is not verified does not, and is told why", arguments: ["-tls1_2", "-tls1_3"])
    func withheld(_ version: String) async throws {
        let folder = try TestDirectory()
        var (server, bench) = try stage([version], in: folder)
        let unknown: Scanner.ServerJudge = { _, _, _ in nil }
        let reasons = [
            (try Self.judge(by: Self.clients), "the server is not verified, for "),
            (unknown, "there is no trust store system to verify the server by"),
        ]
        for (judge, why) in reasons {
            bench.judgeServer = judge
            let seen = try #require(try await bench.observe(port: server.port, sni: "a.test").first)
            #expect(seen.outcome.word == "client_certificate_required" && seen.chain != nil)
            #expect(seen.outcome.detail.text.contains(why), "\(seen.outcome)")
        }
    }

    @Test("a key that the server takes no signature of is told, and the certificate not sent")
    func noSharedSignature() async throws {
        let folder = try TestDirectory()
        var (server, bench) = try stage(["-tls1_3", "-client_sigalgs", "rsa_pss_rsae_sha256"], in: folder)
        bench.judgeServer = try Self.judge(by: Self.root)
        let seen = try await bench.observe(port: server.port, sni: "a.test").first
        #expect(seen?.outcome.word == "client_certificate_required")
        #expect(seen?.outcome.detail.text.contains("takes no signature that its key can make") == true)
    }

    @Test("a judge that takes too long delays no other target, and the visit ends in its time")
    func slowJudge() async throws {
        let folder = try TestDirectory()
        var (server, bench) = try stage(["-tls1_3"], in: folder)
        let others = try LoopbackOpenSSL(["-nocert", "-cipher", "ADH:@SECLEVEL=0", "-tls1_2"])
        let ended = DispatchSemaphore(value: 0)
        bench.settings.timeoutMilliseconds = 500
        bench.judgeServer = { _, _, _ in
            ended.wait()
            return nil
        }
        let scanner = try bench.scanner()
        #expect(scanner.submit(ScanBench.target(port: server.port, sni: "a.test"), at: TestPKI.now))
        #expect(scanner.submit(ScanBench.target(port: others.port, id: 2), at: TestPKI.now))
        var words: [Int64: [String]] = [:]
        while words.count < 2 {
            let scans = await scanner.nextScans()
            for scan in scans { words[scan.target.id.rawValue] = scan.observations.map(\.outcome.word) }
            scanner.release(scans.count)
        }
        ended.signal()
        await scanner.stop(limitMilliseconds: 100)
        #expect(words == [1: ["handshake_timeout"], 2: ["alert", "no_certificate"]])
    }
}
