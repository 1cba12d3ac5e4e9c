import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@Suite struct KeyPairTests {
    private static let root = TestCA.root()
    private static let intermediate = root.intermediate()
    private static let leaf = intermediate.leaf(dns: ["pins.example.com"])
    private static let chain = TestPKI.chainPEM(leaf, intermediate.certificate)

    private func refusal(_ certificate: String, _ key: String) -> String? {
        do throws(HostProblem) {
            try KeyPair.check(certificate: Array(certificate.utf8), key: Array(key.utf8), of: .server)
        } catch {
            return error.description
        }
        return nil
    }

    @Test(
        "A chain and the key of its first certificate serve together",
        arguments: [.p256, .p384, .rsa2048, .ed25519] as [TestKey.Kind])
    func pair(kind: TestKey.Kind) throws {
        let leaf = Self.intermediate.leaf(dns: ["pins.example.com"], key: TestKey(kind))
        let chain = TestPKI.chainPEM(leaf, Self.intermediate.certificate)
        let summary = try KeyPair.check(
            certificate: Array(chain.utf8), key: Array(leaf.privateKeyPEM.utf8), of: .server)
        #expect(summary.subject == "CN=pins.example.com")
    }

    @Test func `One file may hold both`() {
        let both = Self.leaf.privateKeyPEM + Self.chain
        #expect(refusal(both, both) == nil)
    }

    @Test func `A certificate that has expired serves, and says when it ended`() throws {
        let end = Instant(unixSeconds: 86_400)
        let old = TestPKI.selfSigned(dns: ["a.example"], notBefore: Instant(unixSeconds: 0), notAfter: end)
        let summary = try KeyPair.check(
            certificate: Array(old.certificatePEM.utf8), key: Array(old.privateKeyPEM.utf8), of: .server)
        #expect(summary.notAfter == end)
    }

    @Test func `Another key is refused with the certificate's name`() {
        #expect(
            refusal(Self.chain, TestKey().privateKeyPEM)
                == "the key does not belong to the certificate, whose subject is CN=pins.example.com; "
                + "name the key that its request was signed with")
        #expect(refusal(Self.chain, TestKey(.rsa2048).privateKeyPEM)?.hasPrefix("the key does not belong") == true)
    }

    @Test func `A chain in the wrong order is told as such`() {
        let reversed = TestPKI.chainPEM(Self.intermediate.certificate, Self.leaf)
        #expect(
            refusal(reversed, Self.leaf.privateKeyPEM)
                == "the key belongs to a later certificate of the file; put the server's own first")
    }

    @Test func `A client's pair keeps its chain and hides its key`() throws {
        let shown = try KeyPair.client(
            certificate: Array(Self.chain.utf8), key: Array(Self.leaf.privateKeyPEM.utf8))
        #expect(shown.chain.map(\.der) == [Self.leaf.der, Self.intermediate.der])
        #expect(shown.subject == "CN=pins.example.com" && shown.notAfter == TestPKI.leafEnd)
        #expect(!"\(shown)".contains("PRIVATE KEY") && !shown.json.text.contains("PRIVATE"))
        let reversed = TestPKI.chainPEM(Self.intermediate.certificate, Self.leaf)
        #expect(throws: HostProblem("the key belongs to a later certificate of the file; put the client's own first")) {
            try KeyPair.client(certificate: Array(reversed.utf8), key: Array(Self.leaf.privateKeyPEM.utf8))
        }
    }

    @Test func `A client's chain has a bound`() {
        let long = String(repeating: Self.leaf.certificatePEM, count: ClientCertificate.chainLimit + 1)
        #expect(throws: HostProblem.self) {
            try KeyPair.client(certificate: Array(long.utf8), key: Array(Self.leaf.privateKeyPEM.utf8))
        }
    }

    @Test(
        "Files that are something else are refused in words",
        arguments: [
            (leaf.privateKeyPEM, chain, "are the two files exchanged?"),
            ("", leaf.privateKeyPEM, "the certificate's file holds no PEM block \"BEGIN CERTIFICATE\""),
            ("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n", leaf.privateKeyPEM, "is no base64"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", leaf.privateKeyPEM, "cannot be loaded"),
            (chain, "", "the key's file holds no PEM block \"BEGIN PRIVATE KEY\""),
            (chain, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "the key cannot be loaded"),
            (
                chain, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
                "is encrypted"
            ),
            (
                chain,
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
                "is encrypted"
            ),
        ])
    func others(certificate: String, key: String, words: String) {
        let refused = refusal(certificate, key)
        #expect(refused?.contains(words) == true, "\(refused ?? "taken")")
        #expect(refused?.contains("AAAA") != true)
    }
}
