import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchTLS

@Suite("Answers of OCSP responders") struct OCSPAnswerTests {
    private let root = TestCA.root()
    private let leaf: TestCertificate
    private let subject: RevocationSubject
    private var says: TestRevocation

    init() throws {
        leaf = root.leaf(dns: ["a.test"], ocsp: ["http://ocsp.test/"])
        subject = try RevocationSubject(leaf.certificate, issuer: root.certificate.certificate)
        says = TestRevocation(issuer: root.certificate)
    }

    private func read(_ response: [UInt8]) throws(RevocationFault) -> RevocationAnswer {
        try subject.answer(ocsp: response, from: .ocsp, at: TestPKI.now)
    }

    @Test func `good, revoked and unknown are told apart, with their times`() throws {
        let serial = leaf.template.serial
        let good = try read(says.ocsp(.good, serial: serial))
        #expect(good == RevocationAnswer(status: .good, thisUpdate: says.thisUpdate, nextUpdate: says.nextUpdate))
        let at = TestPKI.now - 86_400
        let revoked = try read(says.ocsp(.revoked(at, reason: 1), serial: serial))
        #expect(revoked.status == .revoked && revoked.revokedAt == at && revoked.reason == .keyCompromise)
        let bare = try read(says.ocsp(.revoked(at, reason: nil), serial: serial))
        #expect(bare.status == .revoked && bare.reason == nil)
        #expect(try read(says.ocsp(.unknown, serial: serial)).status == .unknown)
    }

    @Test(
        "serials are compared as integers",
        arguments: [
            ([0x00, 0x80, 1], [0x00, 0x80, 1], true), ([0x80, 1], [0x80, 1], true), ([0x05], [0x05], true),
            ([0x80, 1], [0x00, 0x80, 1], false), ([0x05], [0x06], false), ([0xFB], [0x05], false),
        ] as [([UInt8], [UInt8], Bool)])
    func serials(own: [UInt8], told: [UInt8], isAbout: Bool) throws {
        var template = leaf.template
        template.serial = own
        let odd = template.signed(for: leaf.key, by: root.key)
        let subject = try RevocationSubject(odd.certificate, issuer: root.certificate.certificate)
        let response = says.ocsp(.good, serial: told)
        if isAbout {
            #expect(try subject.answer(ocsp: response, from: .ocsp, at: TestPKI.now).status == .good)
        } else {
            #expect(throws: RevocationFault.otherCertificate(.ocsp)) {
                try subject.answer(ocsp: response, from: .ocsp, at: TestPKI.now)
            }
        }
    }

    @Test func `a responder is believed that the issuer has charged with it, and nobody else`() throws {
        let key = TestKey()
        var charged = says
        charged.signer = key
        func responder(_ authority: TestCA, _ purposes: [String]) -> TestCertificate {
            authority.leaf(commonName: "Responder", key: key, purposes: purposes)
        }
        let serial = leaf.template.serial
        charged.responder = responder(root, ["1.3.6.1.5.5.7.3.9"])
        #expect(try read(charged.ocsp(.good, serial: serial)).status == .good)
        for (authority, purposes) in [(root, [TestCA.serverAuth]), (TestCA.root("Other"), ["1.3.6.1.5.5.7.3.9"])] {
            charged.responder = responder(authority, purposes)
            let error = #expect(throws: RevocationFault.self) { try read(charged.ocsp(.good, serial: serial)) }
            guard case .unverified(.ocsp, _)? = error else { throw try #require(error) }
        }
        var stranger = says
        stranger.signer = key
        let error = #expect(throws: RevocationFault.self) { try read(stranger.ocsp(.good, serial: serial)) }
        guard case .unverified(.ocsp, _)? = error else { throw try #require(error) }
    }

    @Test func `an answer whose time is over says nothing, but that a certificate was revoked stays so`() throws {
        var old = says
        old.thisUpdate = TestPKI.now - 86_400
        old.nextUpdate = TestPKI.now - 1
        let serial = leaf.template.serial
        #expect(throws: RevocationFault.outdated(.ocsp, nextUpdate: old.nextUpdate)) {
            try read(old.ocsp(.good, serial: serial))
        }
        #expect(try read(old.ocsp(.revoked(old.thisUpdate, reason: 4), serial: serial)).reason == .superseded)
        var early = says
        early.thisUpdate = TestPKI.now + 3_600
        #expect(throws: RevocationFault.outdated(.ocsp, nextUpdate: early.nextUpdate)) {
            try read(early.ocsp(.good, serial: serial))
        }
        var open = says
        open.nextUpdate = nil
        #expect(try read(open.ocsp(.good, serial: serial)).nextUpdate == nil)
    }

    @Test func `every cut, and every byte that is another, is refused or says the same`() throws {
        let response = says.ocsp(.good, serial: leaf.template.serial)
        for length in stride(from: 0, to: response.count, by: 3) {
            #expect(throws: RevocationFault.self) { try read(Array(response.prefix(length))) }
        }
        for index in stride(from: 0, to: response.count, by: 5) {
            var bytes = response
            bytes[index] ^= 0x01
            if let answer = try? read(bytes) { #expect(answer.status == .good) }
        }
        #expect(throws: RevocationFault.unreadable(.ocsp)) {
            try read([UInt8](repeating: 0x30, count: RevocationSubject.responseLimit + 1))
        }
    }

    @Test func `a refusal is told with its reason`() {
        let error = #expect(throws: RevocationFault.self) { try read(TestDER.sequence([0x0A, 1, 6])) }
        #expect(error?.description == "the responder refused to answer: unauthorized")
    }

    @Test func `a request names the certificate, and places are those of the web`() throws {
        let request = try subject.request()
        #expect(request.first == 0x30 && request.contains(leaf.template.serial))
        #expect(subject.responders == ["http://ocsp.test/"] && subject.lists.isEmpty)
        var template = leaf.template
        template.extensions = [
            .authorityInformation(
                ocsp: ["ldap://x.test/", "http://a.test/", "http://a.test/", "HTTPS://b.test", "file:///etc/passwd"],
                issuers: []),
            .distributionPoints((0..<9).map { "http://c.test/\($0)" }),
        ]
        let odd = template.signed(for: leaf.key, by: root.key)
        let places = try RevocationSubject(odd.certificate, issuer: root.certificate.certificate)
        #expect(places.responders == ["http://a.test/", "HTTPS://b.test"])
        #expect(places.lists == (0..<4).map { "http://c.test/\($0)" })
    }
}
