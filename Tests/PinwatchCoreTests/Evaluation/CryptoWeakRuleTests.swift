import PinwatchCore
import Testing

struct CryptoWeakRuleTests {
    private func handshake(
        _ address: Int, _ profile: HelloProfile = .phone, _ version: TLSVersion? = .tls12, bits: Int? = nil
    ) throws -> ServedHandshake {
        ServedHandshake(
            address: try World.address(address), profile: profile, tlsVersion: version, diffieHellmanBits: bits)
    }

    private func refused(_ address: Int, _ outcome: String, failures: Int?) throws -> AddressStatus {
        AddressStatus(
            address: try World.address(address), profile: .phone, outcome: outcome, message: "The server refused.",
            hadChain: false, since: World.now - 600, lastAt: World.now, failures: failures)
    }

    @Test(arguments: ["sha1_signature", "md5_signature", "rsa_1024", "dsa"])
    func `each weakness of a certificate has its finding, with the addresses that serve it`(word: String) throws {
        var world = World()
        var leaf = try world.certificate("A")
        leaf.weak = [word]
        try world.serve(leaf, on: [1, 2])
        try world.serve(world.certificate("B"), on: [3], family: .rsa)
        let found = world.findings(.cryptoWeak)
        #expect(found.map(\.key) == ["crypto.weak/12/\(word)"])
        #expect(found.map(\.severity) == [.warning])
        #expect(found.map(\.scope) == [Scope(affected: 2, of: 3)])
        #expect(found[0].summary.contains("\"CN=A\"") && found[0].summary.contains("on 2 of 3 addresses"))
        #expect(!found[0].nextStep.isEmpty)
        #expect(found[0].evidence.text.contains(#""cause":"\#(word)","addresses":["192.0.2.1","192.0.2.2"]"#))
    }

    @Test func `a weak issuer that is sent counts, a self-signed root's signature does not`() throws {
        var world = World()
        let leaf = try world.certificate("A")
        var (issuer, root) = (try world.issuer(), try world.root())
        (issuer.weak, root.weak, root.selfSigned) = (["sha1_signature"], ["md5_signature", "rsa_1024"], true)
        try world.serve(leaf, sent: [leaf, issuer, root], paths: [], on: [1])
        #expect(world.findings(.cryptoWeak).map(\.key) == ["crypto.weak/12/sha1_signature", "crypto.weak/12/rsa_1024"])
    }

    @Test func `an anchor that is not sent is not what is served`() throws {
        var world = World()
        let leaf = try world.certificate("A")
        var root = try world.root()
        root.weak = ["rsa_1024"]
        try world.serve(leaf, sent: [leaf], paths: [Path(certificates: [leaf], anchor: root)], on: [1])
        #expect(world.findings(.cryptoWeak).isEmpty)
    }

    @Test(
        arguments: [
            (TLSVersion.tls12, nil, []), (.tls13, nil, []), (nil, nil, []), (.tls12, 1_024, ["dh_1024"]),
            (.tls12, 768, ["dh_1024"]), (.tls12, 1_025, []), (.tls10, 2_048, ["tls1.0"]),
            (.tls11, 1_024, ["dh_1024", "tls1.1"]),
        ] as [(TLSVersion?, Int?, [String])])
    func `a handshake's version and prime are graded for phones and where phones get nothing`(
        version: TLSVersion?, bits: Int?, words: [String]
    ) throws {
        for profile in [HelloProfile.phone, .legacy] {
            var world = World()
            try world.serve(world.certificate("A"), on: [1, 2])
            world.handshakes = [try handshake(1, profile, version, bits: bits), try handshake(2)]
            if profile == .legacy { world.addresses = [try refused(1, "protocol_unsupported", failures: 1)] }
            let found = world.findings(.cryptoWeak)
            let expected = words + (profile == .legacy ? ["legacy_hello"] : [])
            #expect(found.map(\.key) == expected.map { "crypto.weak/12/\($0)" })
            #expect(found.allSatisfy { $0.scope == Scope(affected: 1, of: 2) && $0.severity == .warning })
        }
    }

    @Test func `a finding on the legacy hello tells how phones are refused`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.handshakes = [try handshake(1, .legacy, .tls11, bits: 1_024)]
        world.addresses = [try refused(1, "alert", failures: 1)]
        let found = try #require(world.findings(.cryptoWeak).last)
        #expect(found.key == "crypto.weak/12/legacy_hello")
        #expect(found.summary.contains("refuses what current phones offer, on its only address"))
        #expect(
            found.evidence.text.contains(
                #""handshakes":[{"address":"192.0.2.1","profile":"legacy","tls_version":"TLSv1.1","dh_bits":1024,"#
                    + #""phone_outcome":"alert","phone_message":"The server refused."}]"#))
    }

    @Test(
        arguments: [
            ("reset", 1, 0), ("closed", 2, 0), ("reset", 3, 1), ("closed", 9, 1), ("alert", 1, 1),
            ("connect_timeout", 1, 1), ("reset", nil, 1),
        ] as [(String, Int?, Int)])
    func `one connection of a phone that broke off is no proof that phones get nothing`(
        outcome: String, failures: Int?, count: Int
    ) throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.handshakes = [try handshake(1, .legacy)]
        world.addresses = [try refused(1, outcome, failures: failures)]
        #expect(world.findings(.cryptoWeak).count == count)
    }

    @Test func `an address that serves nothing any longer is not counted`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.handshakes = [try handshake(1), try handshake(2, .legacy, .tls10)]
        #expect(world.findings(.cryptoWeak).isEmpty)
    }

    @Test func `a target that stops answering keeps its finding, marked stale`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.handshakes = [try handshake(1, .legacy, .tls10)]
        world.addresses = [try refused(1, "connect_timeout", failures: 3)]
        world.failures = 3
        #expect(world.findings(.cryptoWeak).map(\.stale) == [true, true])
    }
}
