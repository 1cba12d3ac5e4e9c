import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

/// What path building makes of the chains that servers send.
struct PathBuilderTests {
    private let root = TestCA.root("Root")
    private var past: Instant { TestPKI.now - 86_400 }

    private func assess(_ trusted: [TestCA], _ sent: TestCertificate...) throws -> ChainAssessment {
        let bundle = trusted.map(\.certificatePEM).joined()
        return PathBuilder.assess(
            chain: TestPKI.chain(der: sent.map(\.der)),
            trustStore: try TrustStore(name: "t", bundle: Array(bundle.utf8)), at: TestPKI.now)
    }

    private func fingerprint(_ certificate: TestCertificate) -> SHA256Digest { TestPKI.sha256(certificate.der) }

    @Test func `the anchor ends the path although it was not sent`() throws {
        let issuer = root.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        let found = try assess([root], leaf, issuer.certificate)
        #expect(found.code == .ok)
        #expect(found.paths.count == 1)
        #expect(found.paths.first?.certificates.map(\.fingerprint) == [leaf, issuer.certificate].map(fingerprint))
        #expect(found.paths.first?.anchor.fingerprint == fingerprint(root.certificate))
        #expect(found.stray.isEmpty)
        #expect(found.missingIssuer == nil)
        #expect(found.certificates.map(\.subject) == ["CN=a.test", "CN=Issuing"])
    }

    @Test func `a sent root, a repeat and a wrong order are no strays, and a stranger is`() throws {
        let issuer = root.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        let stranger = TestCA.root("Stranger").certificate
        let found = try assess([root], leaf, root.certificate, stranger, issuer.certificate, leaf)
        #expect(found.code == .ok)
        #expect(found.stray == [fingerprint(stranger)])
        #expect(found.paths.first?.certificates.count == 2)
    }

    @Test func `an unreadable certificate behind the leaf is a stray`() throws {
        let leaf = root.leaf(dns: ["a.test"])
        let garbage = leaf.edited { _ in [1, 2, 3] }
        let found = try assess([root], leaf, garbage)
        #expect(found.code == .ok)
        #expect(found.stray == [fingerprint(garbage)])
        let broken = try assess([root], garbage, leaf)
        #expect(broken.code == .unreadable)
        #expect(broken.paths.isEmpty)
    }

    @Test func `a missing intermediate is named, with where it can be had`() throws {
        let issuer = root.intermediate("Issuing")
        let found = try assess([root], issuer.leaf(dns: ["a.test"], aia: ["http://i.test/i.der"]))
        #expect(found.code == .missingIssuer)
        #expect(found.missingIssuer == MissingIssuer(subject: "CN=Issuing", aiaURLs: ["http://i.test/i.der"]))
        #expect(found.reason.contains("CN=a.test"))
        #expect(found.reason.contains("CN=Issuing"))
        let above = issuer.intermediate("Below", aia: ["http://i.test/up"])
        let higher = try assess([root], above.leaf(dns: ["a.test"]), above.certificate)
        #expect(higher.missingIssuer == MissingIssuer(subject: "CN=Issuing", aiaURLs: ["http://i.test/up"]))
        #expect(higher.stray.isEmpty)
    }

    @Test func `an intermediate or the leaf itself in the store is an anchor`() throws {
        let issuer = root.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        let partial = try assess([issuer], leaf)
        #expect(partial.code == .ok)
        #expect(partial.paths.first?.anchor.subject == "CN=Issuing")
        let store = try TrustStore(name: "t", bundle: leaf.der)
        let own = PathBuilder.assess(chain: TestPKI.chain(leaf), trustStore: store, at: TestPKI.now)
        #expect(own.code == .ok)
        #expect(own.paths.first?.certificates.map(\.fingerprint) == [fingerprint(leaf)])
        #expect(own.paths.first?.members.count == 1)
        let beyond = PathBuilder.assess(
            chain: TestPKI.chain(der: [leaf.der, issuer.certificate.der]), trustStore: store, at: TestPKI.now)
        #expect(beyond.paths.allSatisfy { $0.anchored == [fingerprint(leaf)] } && !beyond.paths.isEmpty)
    }

    @Test func `untrusted ends are told apart`() throws {
        let lone = TestPKI.selfSigned(dns: ["a.test"])
        #expect(try assess([root], lone).code == .selfSigned)
        let other = TestCA.root("Other")
        let chain = try assess([root], other.leaf(dns: ["a.test"]), other.certificate)
        #expect(chain.code == .untrustedRoot)
        #expect(chain.reason.contains("CN=Other"))
        #expect(chain.missingIssuer == nil)
    }

    @Test func `a signature by another key of the same name is bad`() throws {
        let leaf = TestTemplate.plain()
        var template = leaf
        template.issuer = root.certificate.template.subject
        let found = try assess([root], template.signed(for: TestKey(), by: TestKey()))
        #expect(found.code == .badSignature)
        #expect(found.reason.contains("CN=ex.test"))
    }

    @Test func `weak keys and digests on the way are weak, and untrusted comes before weak`() throws {
        let small = try assess([root], root.leaf(dns: ["a.test"], key: TestKey(.rsa1024)))
        #expect(small.code == .weak)
        let rsa = TestCA.root("RSA", key: TestKey(.rsa2048))
        #expect(try assess([rsa], rsa.leaf(dns: ["a.test"], digest: .sha1)).code == .weak)
        let old = TestCA.root("Old", key: TestKey(.rsa2048), digest: .sha1)
        #expect(try assess([old], old.leaf(dns: ["a.test"])).code == .ok)
        let lone = try assess([root], TestPKI.selfSigned(key: TestKey(.rsa1024)))
        #expect(lone.code == .selfSigned, "\(lone.code) \(lone.reason)")
    }

    @Test func `a leaf for clients and an issuer that is no authority do not serve`() throws {
        let client = root.leaf(dns: ["a.test"], purposes: [TestCA.clientAuth])
        #expect(try assess([root], client).code == .wrongPurpose)
        let leaf = root.leaf(dns: ["a.test"])
        let below = TestCA(certificate: leaf).leaf(dns: ["b.test"])
        #expect(try assess([root], below, leaf).code == .wrongPurpose)
    }

    @Test func `dates do not decide, but choose among issuers`() throws {
        let issuer = root.intermediate("Issuing")
        let expired = issuer.leaf(dns: ["a.test"], notAfter: past)
        #expect(try assess([root], expired, issuer.certificate).code == .ok)
        let old = issuer.crossSigned(by: root, notAfter: past).certificate
        let leaf = issuer.leaf(dns: ["a.test"])
        for order in [[leaf, old, issuer.certificate], [leaf, issuer.certificate, old]] {
            let store = try TrustStore(name: "t", bundle: root.der)
            let found = PathBuilder.assess(
                chain: TestPKI.chain(der: order.map(\.der)), trustStore: store, at: TestPKI.now)
            #expect(found.paths.first?.certificates.map(\.fingerprint) == [leaf, issuer.certificate].map(fingerprint))
            #expect(found.stray.isEmpty && found.paths.count == 2)
            let judged = found.verification(at: TestPKI.now, for: .dns(HostName(checked: "a.test")))
            #expect(judged.stray == [fingerprint(old)])
        }
    }

    @Test func `an expired cross-sign of a root that is trusted itself does not win`() throws {
        let legacy = TestCA.root("Legacy", notAfter: past)
        let cross = root.crossSigned(by: legacy, notAfter: past).certificate
        let issuer = root.intermediate("Issuing")
        let leaf = issuer.leaf(dns: ["a.test"])
        for trusted in [[root], [legacy, root], [root, legacy]] {
            let found = try assess(trusted, leaf, issuer.certificate, cross)
            #expect(found.paths.first?.anchor.subject == "CN=Root")
            let judged = found.verification(at: TestPKI.now, for: .dns(HostName(checked: "a.test")))
            #expect(judged.valid && judged.stray == [fingerprint(cross)])
        }
    }

    @Test func `a time that clients refuse to read is no valid path`() throws {
        var template = TestTemplate.plain()
        template.issuer = root.certificate.template.subject
        template.notAfter = TestDER.tlv(0x18, Array("99991231225959.357Z".utf8))
        let found = try assess([root], template.signed(for: TestKey(), by: root.key))
        #expect(found.code == .unreadable)
        #expect(found.certificates.first?.notAfter?.rfc3339 == "9999-12-31T22:59:59Z")
    }

    @Test(.timeLimit(.minutes(5))) func `thousands of entries and long chains are bounded`() throws {
        let leaf = root.leaf(dns: ["a.test"])
        let crowd = [leaf.der] + [[UInt8]](repeating: TestCA.root("Crowd").der, count: 2_000)
        let store = try TrustStore(name: "t", bundle: root.der)
        let found = PathBuilder.assess(chain: TestPKI.chain(der: crowd), trustStore: store, at: TestPKI.now)
        #expect(found.code == .ok)
        #expect(found.stray.count == 2_000)
        var (authority, sent) = (root, [TestCertificate]())
        for step in 0..<14 {
            authority = authority.intermediate("Step \(step)")
            sent.insert(authority.certificate, at: 0)
        }
        sent.insert(authority.leaf(dns: ["a.test"]), at: 0)
        let long = PathBuilder.assess(chain: TestPKI.chain(der: sent.map(\.der)), trustStore: store, at: TestPKI.now)
        #expect(long.code == .untrustedRoot)
        #expect(long.paths.isEmpty)
    }

    @Test func `self-signatures beyond the bound are unknown rather than verified or wrong`() throws {
        let leaf = root.leaf(dns: ["a.test"])
        let crowd = [leaf.der] + [[UInt8]](repeating: TestCA.root("Crowd").der, count: 70)
        let store = try TrustStore(name: "t", bundle: root.der)
        let found = PathBuilder.assess(chain: TestPKI.chain(der: crowd), trustStore: store, at: TestPKI.now)
        let answers = found.certificates.dropFirst().map(\.selfSigned)
        #expect(answers.prefix(PathBuilder.selfSignatureLimit).allSatisfy { $0 == true })
        #expect(answers.dropFirst(PathBuilder.selfSignatureLimit).allSatisfy { $0 == nil })
        #expect(found.certificates.last?.unreadable.map(\.field) == ["self_signed"])
        #expect(found.code == .ok)
    }

    @Test func `a leaf with the name of its issuer is not said to have signed itself`() throws {
        let root = TestCA.root("same.test")
        var template = root.leaf(dns: ["same.test"], commonName: "same.test").template
        template.extensions.removeAll { $0.oid == "2.5.29.35" }
        let leaf = template.signed(for: TestKey(), by: root.key)
        let found = PathBuilder.assess(
            chain: TestPKI.chain(leaf), trustStore: try TrustStore(name: "t", bundle: root.der), at: TestPKI.now)
        #expect(found.certificates.first?.selfSigned == false)
        #expect(found.reason.contains("has its issuer's own name"))
    }
}
