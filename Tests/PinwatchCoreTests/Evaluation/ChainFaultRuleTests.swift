import PinwatchCore
import Testing

struct ChainFaultRuleTests {
    @Test(
        arguments: [
            (VerificationCode.selfSigned, FindingKind.chainInvalid), (.untrustedRoot, .chainInvalid),
            (.badSignature, .chainInvalid), (.weak, .chainInvalid), (.wrongPurpose, .chainInvalid),
            (.unreadable, .chainInvalid), (.missingIssuer, .chainIncomplete),
        ])
    func `every fault of a path has its finding, by family`(code: VerificationCode, kind: FindingKind) throws {
        var world = World()
        let leaf = try world.certificate("A")
        try world.serve(
            leaf, sent: [leaf], paths: [], code: code, reason: "The leaf is at fault.",
            missing: MissingIssuer(subject: "CN=Lost", aiaURLs: ["http://ca.test/i.crt"]), on: [1, 2], family: .rsa)
        let found = world.evaluate().findings.filter { $0.kind != .hostUnpinned }
        #expect(found.map(\.key) == ["\(kind.rawValue)/12/rsa"])
        #expect(found.map(\.severity) == [kind == .chainInvalid ? .critical : .warning])
        #expect(found.allSatisfy { $0.evidence.text.contains("\"reason\":\"\(code.rawValue)\"") })
        if kind == .chainIncomplete {
            #expect(found[0].summary.contains("CN=Lost"))
            #expect(found[0].summary.contains("fetch it"))
        }
    }

    @Test func `a chain whose root nobody knows is no forgotten intermediate`() throws {
        var world = World()
        let (leaf, issuer) = (try world.certificate("A"), try world.issuer())
        try world.serve(
            leaf, sent: [leaf, issuer], paths: [], code: .missingIssuer, reason: "I was issued by \"CN=Proxy Root\".",
            missing: MissingIssuer(subject: "CN=Proxy Root", aiaURLs: []), on: [1])
        let found = world.evaluate().findings.filter { $0.kind != .hostUnpinned }
        #expect(found.map(\.key) == ["chain.invalid/12/ecdsa"])
        #expect(found.map(\.severity) == [.critical])
        #expect(
            found.allSatisfy { $0.summary.contains("Proxy Root") && $0.evidence.text.contains("\"missing_issuer\"") })
    }

    @Test func `one finding for a family, though several of its chains are at fault`() throws {
        var world = World()
        for (letter, address) in [("A", 1), ("B", 2)] as [(Character, Int)] {
            let leaf = try world.certificate(letter)
            try world.serve(leaf, sent: [leaf], paths: [], code: .selfSigned, on: [address])
        }
        try world.serve(world.certificate("C"), on: [3], family: .rsa)
        let found = world.findings(.chainInvalid)
        #expect(found.map(\.key) == ["chain.invalid/12/ecdsa"])
        #expect(found[0].summary.contains("on 2 of 3 addresses"))
    }

    @Test(arguments: [([1], "on the only address that answers"), ([1, 2], "on all 2 addresses that answer")])
    func `an address that never answered is not passed over in silence`(serving: [Int], words: String) throws {
        var world = World()
        let leaf = try world.certificate("A")
        try world.serve(leaf, sent: [leaf], paths: [], code: .selfSigned, on: serving)
        world.addresses = [
            AddressStatus(
                address: try World.address(9), profile: .phone, outcome: "connect_timeout", message: nil,
                hadChain: false, since: World.now, lastAt: World.now)
        ]
        #expect(world.findings(.chainInvalid).first?.summary.contains(words) == true)
    }

    @Test func `a wrong name is told with the names that are there`() throws {
        var world = World()
        try world.serve(world.certificate("A", names: ["a.test", "b.test", "c.test", "d.test"]), on: [1])
        let found = world.findings(.hostnameMismatch)
        #expect(found.map(\.key) == ["hostname.mismatch/12/ecdsa"])
        #expect(found[0].summary.hasSuffix("It names a.test, b.test, c.test and 1 more."))
        #expect(world.findings(.chainInvalid).isEmpty)
    }

    @Test func `names that could not be read are not wrong, odd ones beside them are`() throws {
        var world = World()
        var leaf = try world.certificate("A", names: [])
        leaf.unreadable = [CertificateSummary.Unreadable(field: "names", why: "odd")]
        try world.serve(leaf, on: [1])
        #expect(world.findings(.hostnameMismatch).count == 1)
        leaf.dnsNames = nil
        world.spans = []
        try world.serve(leaf, on: [1])
        #expect(world.findings(.hostnameMismatch).isEmpty)
    }
}
