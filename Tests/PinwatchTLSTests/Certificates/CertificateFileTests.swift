import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

struct CertificateFileTests {
    private let root = TestCA.root("File Root")
    private var leaf: TestCertificate { root.leaf(dns: ["a.test"]) }

    @Test func `PEM with several certificates and text between them is read in order`() throws {
        let leaf = leaf
        let text =
            "Bag Attributes\r\n" + leaf.certificatePEM.split(separator: "\n").joined(separator: "\r\n") + "\r\n# note\n"
            + leaf.privateKeyPEM + "  junk -----\n" + root.certificatePEM
        #expect(try CertificateFile.read(Array(text.utf8)).map(\.der) == [leaf.der, root.der])
    }

    @Test func `DER certificates are read alone and end to end`() throws {
        let leaf = leaf
        #expect(try CertificateFile.read(leaf.der).map(\.der) == [leaf.der])
        #expect(try CertificateFile.read(leaf.der + root.der + [0x0A]).map(\.der) == [leaf.der, root.der])
        let trailed = try CertificateFile.read(leaf.der + [0x00, 0x01])
        #expect(trailed.map(\.der) == [leaf.der + [0x00, 0x01]])
        #expect(trailed.map { CertificateReader.read($0).spki } == [CertificateReader.read(leaf.certificate).spki])
    }

    @Test func `what is no certificate is refused in words`() {
        let leaf = leaf
        let pem = leaf.certificatePEM
        let cases: [([UInt8], CertificateError)] = [
            ([], .noCertificate(origin: "f")), (Array("hello".utf8), .noCertificate(origin: "f")),
            (Array(leaf.privateKeyPEM.utf8), .noCertificate(origin: "f")),
            (leaf.der + root.der.dropLast(), .noCertificate(origin: "f")),
            (Array(leaf.der.dropLast()), .noCertificate(origin: "f")),
            (leaf.key.spki + [0x41], .noCertificate(origin: "f")), (leaf.key.spki, .noCertificate(origin: "f")),
            (Array(pem.dropLast(30).utf8), .brokenPEM(origin: "f", block: 1)),
            (Array(pem.replacing("MII", with: "M!I", maxReplacements: 1).utf8), .brokenPEM(origin: "f", block: 1)),
            (Array((root.certificatePEM + pem.dropLast(30)).utf8), .brokenPEM(origin: "f", block: 2)),
            (
                [UInt8](repeating: 0x20, count: CertificateFile.sizeLimit + 1),
                .tooLarge(origin: "f", bytes: CertificateFile.sizeLimit + 1, limit: CertificateFile.sizeLimit)
            ),
        ]
        for (bytes, expected) in cases {
            #expect(throws: expected) { try CertificateFile.read(bytes, origin: "f") }
        }
    }

    @Test func `a pin file is a certificate or a public key, in PEM or DER`() throws {
        let leaf = leaf
        let summary = CertificateReader.read(leaf.certificate)
        let key = PinFile.publicKey(spki: TestPKI.sha256(leaf.key.spki))
        #expect(try PinFileReader.read(Array(leaf.certificatePEM.utf8)) == .certificate(summary, isDER: false))
        #expect(try PinFileReader.read(leaf.der) == .certificate(summary, isDER: true))
        #expect(try PinFileReader.read(Array(leaf.key.publicKeyPEM.utf8)) == key)
        #expect(try PinFileReader.read(leaf.key.spki) == key)
    }

    @Test func `a pin file with a private key, several certificates or neither is refused`() {
        let leaf = leaf
        let cases: [([UInt8], String)] = [
            (Array(leaf.privateKeyPEM.utf8), "private key"),
            (Array((leaf.certificatePEM + leaf.privateKeyPEM).utf8), "private key"),
            ([0x30, 0x03, 0x02, 0x01, 0x00], "private key"),
            (Array((leaf.certificatePEM + root.certificatePEM).utf8), "2 certificates"),
            (Array(TestPEM.text("X509 CRL", [1, 2]).utf8), "X509 CRL"), ([], "neither"),
            (Array("sha256/AAAA".utf8), "neither"), (Array(leaf.certificatePEM.dropLast(30).utf8), "cut short"),
            (Array(TestPEM.text("PUBLIC KEY", [1, 2]).utf8), "SubjectPublicKeyInfo"),
            ([UInt8](repeating: 0x30, count: PinFileReader.sizeLimit + 1), "at most"),
        ]
        for (bytes, words) in cases {
            let problem = #expect(throws: HostProblem.self) { try PinFileReader.read(bytes) }
            #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "") lacks \(words)")
        }
    }
}
