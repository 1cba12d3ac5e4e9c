import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

/// Chains that lead to more than one anchor.
struct AllPathsTests {
    private func assess(_ store: TrustStore, _ sent: [TestCertificate]) -> ChainAssessment {
        PathBuilder.assess(chain: TestPKI.chain(der: sent.map(\.der)), trustStore: store, at: TestPKI.now)
    }

    private func store(_ trusted: [TestCA]) throws -> TrustStore {
        try TrustStore(name: "t", bundle: Array(trusted.map(\.certificatePEM).joined().utf8))
    }

    private func subjects(_ found: ChainAssessment) -> [[String]] {
        found.paths.map { $0.members.map { $0.subject ?? "" } }
    }

    @Test func `a cross-signed root leads to both roots, the shorter way first`() throws {
        let (old, new) = (TestCA.root("Old"), TestCA.root("New"))
        let cross = new.crossSigned(by: old).certificate
        let issuer = new.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        let found = assess(try store([old, new]), [leaf, issuer.certificate, cross])
        #expect(found.code == .ok && found.stray.isEmpty)
        #expect(
            subjects(found) == [
                ["CN=a.test", "CN=Issuing", "CN=New"], ["CN=a.test", "CN=Issuing", "CN=New", "CN=Old"],
            ])
        #expect(found.paths.map { $0.anchor.subject } == ["CN=New", "CN=Old"])
        let one = assess(try store([old]), [leaf, issuer.certificate, cross])
        #expect(subjects(one) == [["CN=a.test", "CN=Issuing", "CN=New", "CN=Old"]])
    }

    @Test func `an intermediate that two roots signed leads to both, by either of its certificates`() throws {
        let (first, second) = (TestCA.root("First"), TestCA.root("Second"))
        let issuer = first.intermediate("Issuing")
        let other = issuer.crossSigned(by: second).certificate
        let leaf = issuer.leaf(dns: ["a.test"])
        let found = assess(try store([first, second]), [leaf, issuer.certificate, other])
        #expect(Set(found.paths.map { $0.anchor.subject }) == ["CN=First", "CN=Second"])
        #expect(found.paths.allSatisfy { $0.certificates.count == 2 })
        #expect(Set(found.paths.map { $0.certificates[1].fingerprint }).count == 2)
    }

    @Test func `an intermediate that is an anchor ends a way, and the way goes on above it`() throws {
        let root = TestCA.root("Root")
        let issuer = root.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        let found = assess(try store([root, issuer]), [leaf, issuer.certificate])
        #expect(Set(subjects(found)) == [["CN=a.test", "CN=Issuing"], ["CN=a.test", "CN=Issuing", "CN=Root"]])
        let long = try #require(found.paths.first { $0.members.count == 3 })
        #expect(long.anchored == Set([issuer.certificate, root.certificate].map { TestPKI.sha256($0.der) }))
    }

    @Test func `a way whose signature does not hold is none`() throws {
        let (good, evil) = (TestCA.root("Root"), TestCA.root("Root"))
        let issuer = good.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        let found = assess(try store([evil, good]), [leaf, issuer.certificate])
        #expect(found.paths.map { $0.anchor.fingerprint } == [TestPKI.sha256(good.certificate.der)])
    }

    @Test func `anchors are told apart by where they are from`() throws {
        let (device, mine) = (TestCA.root("Device"), TestCA.root("Mine"))
        let user = try TrustStore(name: "u", bundle: Array(mine.certificatePEM.utf8), source: .user)
        let both = try store([device]).adding(user)
        for (authority, source) in [(device, AnchorSource.given), (mine, .user)] {
            #expect(assess(both, [authority.leaf(dns: ["a.test"])]).paths.map(\.source) == [source])
        }
    }

    @Test func `authorities that sign one another in circles are walked once, and the number of ways is bounded`()
        throws
    {
        let roots = (0..<6).map { TestCA.root("R\($0)") }
        let issuer = roots[0].intermediate("Issuing")
        var sent = [issuer.leaf(dns: ["a.test"]), issuer.certificate]
        for one in roots {
            for other in roots where one.key !== other.key { sent.append(one.crossSigned(by: other).certificate) }
        }
        let found = assess(try store([roots[5]]), sent)
        #expect(found.code == .ok && (2...8).contains(found.paths.count))
        #expect(found.paths.allSatisfy { path in Set(path.members.map(\.spki)).count == path.members.count })
    }
}
