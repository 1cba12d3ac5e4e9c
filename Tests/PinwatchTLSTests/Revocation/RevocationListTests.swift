import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchTLS

@Suite("Lists of revoked certificates") struct RevocationListTests {
    private let root = TestCA.root()
    private let leaf: TestCertificate
    private let subject: RevocationSubject
    private let says: TestRevocation

    init() throws {
        var template = root.leaf(dns: ["a.test"]).template
        template.extensions.append(.distributionPoints(["http://crl.test/1"]))
        leaf = template.signed(for: TestKey(), by: root.key)
        subject = try RevocationSubject(leaf.certificate, issuer: root.certificate.certificate)
        says = TestRevocation(issuer: root.certificate)
    }

    private func read(_ bytes: [UInt8]) throws(RevocationFault) -> RevocationAnswer {
        try subject.answer(RevocationList(bytes), at: TestPKI.now)
    }

    @Test func `what stands in it is revoked, and what does not is good`() throws {
        let at = TestPKI.now - 86_400
        #expect(try read(says.list([])).status == .good)
        #expect(try read(says.list([(TestPKI.randomSerial(), at, 1)])).status == .good)
        let revoked = try read(says.list([([5], at, nil), (leaf.template.serial, at, 1)]))
        #expect(
            revoked
                == RevocationAnswer(
                    status: .revoked, thisUpdate: says.thisUpdate, nextUpdate: says.nextUpdate, revokedAt: at,
                    reason: .keyCompromise))
        #expect(try read(says.list([(leaf.template.serial, at, nil)])).reason == nil)
    }

    @Test func `a list by another authority, or with another's signature, says nothing`() throws {
        let other = TestCA.root("Other")
        #expect(throws: RevocationFault.otherCertificate(.crl)) {
            try read(TestRevocation(issuer: other.certificate).list([]))
        }
        var forged = says
        forged.signer = TestKey()
        let error = #expect(throws: RevocationFault.self) { try read(forged.list([])) }
        guard case .unverified(.crl, _)? = error else { throw try #require(error) }
    }

    @Test func `a list of one distribution point is about its certificates alone`() throws {
        #expect(try read(says.list([], point: "http://crl.test/1")).status == .good)
        #expect(throws: RevocationFault.otherCertificate(.crl)) { try read(says.list([], point: "http://crl.test/2")) }
    }

    @Test func `a list whose time is over says nothing of what it does not hold`() throws {
        var old = says
        old.thisUpdate = TestPKI.now - 86_400
        old.nextUpdate = TestPKI.now - 1
        #expect(throws: RevocationFault.outdated(.crl, nextUpdate: old.nextUpdate)) { try read(old.list([])) }
        #expect(try read(old.list([(leaf.template.serial, old.thisUpdate, 4)])).reason == .superseded)
    }

    @Test func `an end that cannot be read is no end that never comes`() throws {
        let list = says.list([])
        let end = TestDER.time(try #require(says.nextUpdate))
        let place = try #require(list.firstRange(of: end))
        var broken = list
        broken.replaceSubrange(place, with: [0x17, 0x0D] + Array("999999999999Z".utf8))
        #expect(throws: RevocationFault.unreadableTime(.crl)) { try read(broken) }
    }

    @Test func `a list that was made after a certificate's end may say that it was revoked, not that it is good`()
        throws
    {
        for (end, isTold) in [(says.thisUpdate, true), (says.thisUpdate - 1, false)] {
            let ended = root.leaf(dns: ["a.test"], notAfter: end)
            let subject = try RevocationSubject(ended.certificate, issuer: root.certificate.certificate)
            let silent = try RevocationList(says.list([]))
            if isTold {
                #expect(try subject.answer(silent, at: TestPKI.now).status == .good)
            } else {
                #expect(throws: RevocationFault.ended) { try subject.answer(silent, at: TestPKI.now) }
            }
            let naming = try RevocationList(says.list([(ended.template.serial, end - 60, nil)]))
            #expect(try subject.answer(naming, at: TestPKI.now).status == .revoked)
        }
    }

    @Test func `PEM is read too, and rubbish is not`() throws {
        let pem = TestPEM.text("X509 CRL", says.list([]))
        #expect(try read(Array(pem.utf8)).status == .good)
        for rubbish in [[], [0x30], Array("<html>".utf8), Array(says.list([]).dropLast()), Array("-----BEGIN".utf8)] {
            #expect(throws: RevocationFault.unreadable(.crl)) { try read(rubbish) }
        }
    }
}
