import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

struct ChainBookTests {
    private let root = TestCA.root("Root")

    private func book(_ capacity: Int = 100) throws -> ChainBook {
        ChainBook(trustStores: ["t": try TrustStore(name: "t", bundle: root.der)], capacity: capacity)
    }

    @Test func `a known chain is not loaded again`() throws {
        let book = try book()
        let chain = TestPKI.chain(root.leaf(dns: ["a.test"]))
        let first = try #require(book.assess(chain, trustStore: "t", now: TestPKI.now))
        var loads = 0
        let again = book.assessment(of: chain.id, trustStore: "t", now: TestPKI.now + 86_400) {
            loads += 1
            return chain
        }
        #expect(again == first)
        #expect(loads == 0)
        #expect(book.count == 1)
    }

    @Test func `an unknown trust store or chain gives nothing`() throws {
        let book = try book()
        let chain = TestPKI.chain(root.leaf(dns: ["a.test"]))
        #expect(book.assess(chain, trustStore: "other", now: TestPKI.now) == nil)
        #expect(book.assessment(of: chain.id, trustStore: "t", now: TestPKI.now) { nil } == nil)
        #expect(book.count == 0)
    }

    @Test func `another set of anchors under the same name judges anew, an equal one does not`() throws {
        let book = try book()
        let chain = TestPKI.chain(root.leaf(dns: ["a.test"]))
        #expect(book.assess(chain, trustStore: "t", now: TestPKI.now)?.code == .ok)
        book.use(["t": try TrustStore(name: "t", bundle: root.der)])
        #expect(book.count == 1)
        book.use(["t": try TrustStore(name: "t", bundle: TestCA.root("Another").der)])
        #expect(book.count == 0)
        #expect(book.assess(chain, trustStore: "t", now: TestPKI.now)?.code != .ok)
        book.use([:])
        #expect(book.assess(chain, trustStore: "t", now: TestPKI.now) == nil)
    }

    @Test func `the entries that were not used go when the book is full`() throws {
        let book = try book(8)
        let chains = (0..<12).map { TestPKI.chain(root.leaf(dns: ["h\($0).test"])) }
        for chain in chains {
            _ = book.assess(chain, trustStore: "t", now: TestPKI.now)
            _ = book.assess(chains[0], trustStore: "t", now: TestPKI.now)
        }
        #expect(book.count == 8)
        var loaded: [Int] = []
        for (index, chain) in chains.enumerated() where [0, 1, 11].contains(index) {
            _ = book.assessment(of: chain.id, trustStore: "t", now: TestPKI.now) {
                loaded.append(index)
                return chain
            }
        }
        #expect(loaded == [1])
    }

    @Test func `a path that ran out is built again at most once an hour, and another may take its place`() throws {
        let book = try book()
        let issuer = root.intermediate("Issuing", notAfter: TestPKI.now + 3_000)
        let renewed = issuer.crossSigned(by: root, notBefore: TestPKI.now + 1_000)
        let leaf = issuer.leaf(dns: ["a.test"])
        let chain = TestPKI.chain(leaf, issuer.certificate, renewed.certificate)
        var loads = 0
        func second(_ seconds: Int64) -> SHA256Digest? {
            let assessment = book.assessment(of: chain.id, trustStore: "t", now: TestPKI.now + seconds) {
                loads += 1
                return chain
            }
            return assessment?.paths.first?.certificates.last?.fingerprint
        }
        #expect(second(0) == TestPKI.sha256(issuer.der))
        #expect(second(3_000) == TestPKI.sha256(issuer.der))
        #expect(second(3_001) == TestPKI.sha256(issuer.der))
        #expect(loads == 1)
        #expect(second(3_600) == TestPKI.sha256(renewed.der))
        #expect(second(9_000) == TestPKI.sha256(renewed.der))
        #expect(loads == 2)
    }

    @Test func `a leaf that ran out is not tried again`() throws {
        let book = try book()
        let chain = TestPKI.chain(root.leaf(dns: ["a.test"], notAfter: TestPKI.now + 10))
        var loads = 0
        for hour in 0..<5 as Range<Int64> {
            _ = book.assessment(of: chain.id, trustStore: "t", now: TestPKI.now + hour * 7_200) {
                loads += 1
                return chain
            }
        }
        #expect(loads == 1)
    }

    @Test func `chains are weighed, and heavy ones do not fill memory`() throws {
        let store = try TrustStore(name: "t", bundle: root.der)
        let stuffing = [UInt8](repeating: 0, count: 100_000)
        let heavy = (0..<8).map { TestPKI.chain(der: [root.leaf(dns: ["h\($0).test"]).der, stuffing]) }
        let book = ChainBook(trustStores: ["t": store], byteCapacity: 350_000)
        for chain in heavy { _ = book.assess(chain, trustStore: "t", now: TestPKI.now) }
        #expect(book.count == 3)
        let light = (0..<20).map { TestPKI.chain(root.leaf(dns: ["l\($0).test"])) }
        for chain in light { _ = book.assess(chain, trustStore: "t", now: TestPKI.now) }
        #expect(book.count == 23)
        let alone = ChainBook(trustStores: ["t": store], byteCapacity: 50_000)
        #expect(alone.assess(heavy[0], trustStore: "t", now: TestPKI.now)?.code == .ok)
        #expect(alone.count == 0)
        #expect(alone.assess(light[0], trustStore: "t", now: TestPKI.now)?.code == .ok)
        #expect(alone.count == 1)
    }

    @Test func `an issuer that is not sent is named once it was served elsewhere, and the chain is no better for it`()
        throws
    {
        let book = try book()
        let upper = root.intermediate("Upper")
        let issuer = upper.intermediate("Issuing")
        let bare = TestPKI.chain(issuer.leaf(dns: ["a.test"]))
        func known(_ chain: Chain) -> [SHA256Digest]? {
            let found = book.assess(chain, trustStore: "t", now: TestPKI.now)
            #expect(found?.code == .missingIssuer && found?.paths.isEmpty == true)
            return found?.missingIssuer?.known
        }
        #expect(known(bare) == [])
        // A namesake with another key issued nothing here.
        book.remember([root.intermediate("Issuing").certificate.certificate])
        #expect(known(bare) == [])
        let whole = TestPKI.chain(issuer.leaf(dns: ["b.test"]), issuer.certificate, upper.certificate)
        #expect(book.assess(whole, trustStore: "t", now: TestPKI.now)?.code == .ok)
        let ways = [issuer, upper].map(\.certificate.certificate.fingerprint)
        #expect(known(bare) == ways)
        #expect(known(TestPKI.chain(issuer.leaf(dns: ["c.test"]), issuer.certificate)) == [ways[1]])
    }

    @Test func `what leads to no anchor completes nothing, and strays are not remembered`() throws {
        let book = try book()
        let (other, stray) = (TestCA.root("Other"), root.intermediate("Stray"))
        let issuer = other.intermediate("Issuing")
        book.remember([issuer.certificate.certificate])
        let whole = TestPKI.chain(root.leaf(dns: ["b.test"]), stray.certificate)
        #expect(book.assess(whole, trustStore: "t", now: TestPKI.now)?.code == .ok)
        for chain in [issuer.leaf(dns: ["a.test"]), stray.leaf(dns: ["a.test"])].map({ TestPKI.chain($0) }) {
            #expect(book.assess(chain, trustStore: "t", now: TestPKI.now)?.missingIssuer?.known == [])
        }
    }
}
