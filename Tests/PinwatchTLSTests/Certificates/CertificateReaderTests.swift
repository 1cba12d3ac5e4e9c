import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

/// Everything that a hostile or careless issuer may write is kept and shown.
struct CertificateReaderTests {
    @Test(arguments: [
        (TestKey.Kind.p256, KeyFamily.ecdsa, "EC", 256 as Int?, "P-256" as String?, [String]()),
        (.p384, .ecdsa, "EC", 384, "P-384", []), (.p521, .ecdsa, "EC", 521, "P-521", []),
        (.secp256k1, .ecdsa, "EC", 256, "secp256k1", []), (.brainpoolP256, .ecdsa, "EC", 256, "brainpoolP256r1", []),
        (.p256ExplicitParameters, .ecdsa, "EC", 256, nil, []), (.rsa1024, .rsa, "RSA", 1024, nil, ["rsa_1024"]),
        (.rsa2048, .rsa, "RSA", 2048, nil, []), (.rsaPSS2048, .rsa, "RSA-PSS", 2048, nil, []),
        (.ed25519, .ed25519, "Ed25519", 256, nil, []), (.ed448, .ed448, "Ed448", 456, nil, []),
        (.dsa2048, .other, "DSA", 2048, nil, ["dsa"]),
    ])
    func `every kind of key has its digest, family and size`(
        kind: TestKey.Kind, family: KeyFamily, type: String, bits: Int?, curve: String?, weak: [String]
    ) {
        let key = TestKey(kind)
        let read = CertificateReader.read(TestPKI.selfSigned(dns: ["ex.test"], key: key).certificate)
        #expect(read.spki == TestPKI.sha256(key.spki))
        #expect(read.spkiSHA1 == TestPKI.sha1(key.spki))
        #expect(read.family == family)
        #expect(CertificateReader.keyFamily(of: TestPKI.selfSigned(key: key).certificate) == family)
        #expect(read.key == PublicKeySummary(type: type, bits: bits, curve: curve))
        #expect(read.weak == weak)
        #expect(read.selfSigned == true)
        #expect(read.unreadable.isEmpty)
        let rest = Array(key.spki.suffix(64))
        if kind == .p256 { #expect(read.rawKeySHA256 == TestPKI.sha256([0x04] + rest)) }
        if kind == .ed25519 { #expect(read.rawKeySHA256 == TestPKI.sha256(Array(rest.suffix(32)))) }
    }

    @Test func `an ordinary certificate is read in every field`() throws {
        let root = TestCA.root("R")
        let leaf = root.leaf(
            dns: ["a.test", "*.b.test"], ip: ["127.0.0.1", "::1"], commonName: "A, Inc", ocsp: ["http://o.test/"],
            aia: ["http://i.test/a,b"], timestamps: 3)
        let read = CertificateReader.read(leaf.certificate)
        #expect(read.fingerprint == TestPKI.sha256(leaf.der))
        #expect(read.subject == "CN=A\\, Inc")
        #expect(read.issuer == "CN=R")
        #expect(read.notBefore == TestPKI.start)
        #expect(read.notAfter == TestPKI.leafEnd)
        #expect(read.dnsNames == ["a.test", "*.b.test"])
        #expect(read.ipAddresses == ["127.0.0.1", "::1"].compactMap { IPAddress($0) })
        #expect(read.signature == "ecdsa-with-SHA256")
        #expect(read.isCA == false)
        #expect(read.selfSigned == false)
        #expect(read.scts == 3)
        #expect(read.ocspURLs == ["http://o.test/"])
        #expect(read.aiaURLs == ["http://i.test/a,b"])
        #expect(read.unreadable.isEmpty)
        #expect(CertificateReader.read(root.certificate.certificate).isCA == true)
    }

    @Test(
        arguments: [
            ([0x05], "05"), ([0xFB], "-05"), ([0x00], "00"), ([0x00, 0xFF], "00ff"), ([0x00, 0x01, 0x02], "000102"),
            ([0x80], "-80"), ([0xFF, 0x7F], "-0081"), ([0xFF, 0x00], "-0100"),
            ([0x7F] + [UInt8](repeating: 0xFF, count: 19), "7f" + String(repeating: "ff", count: 19)),
            ([UInt8](repeating: 1, count: 40), String(repeating: "01", count: 40)), ([UInt8](), nil),
        ] as [([UInt8], String?)])
    func `a serial is the signed hexadecimal of the bytes as sent`(bytes: [UInt8], text: String?) {
        let read = CertificateReader.read(TestTemplate.odd { $0.serial = bytes }.certificate)
        #expect(read.serial == text)
        #expect(read.unreadable.map(\.field) == (text == nil ? ["serial"] : []))
        #expect(read.spki != nil)
        #expect(read.dnsNames == ["ex.test"])
    }

    @Test(
        arguments: [
            ("2.5.4.3", Array("a\0b".utf8), "CN=a\\00b"), ("2.5.4.10", [0x41, 0xFF, 0xFE, 0x42], "O=A\\ff\\feB"),
            ("2.5.4.6", Array("Internet".utf8), "C=Internet"), ("2.5.4.6", Array("U*".utf8), "C=U*"),
            ("2.5.4.3", Array(" #\"+,;<>\\ ".utf8), "CN=\\ #\\\"\\+\\,\\;\\<\\>\\\\\\ "),
            ("2.5.4.3", Array("#1".utf8), "CN=\\#1"), ("2.5.4.3", [0x20], "CN=\\ "),
            ("2.5.4.3", Array("bücher 日本".utf8), "CN=bücher 日本"),
            ("2.5.4.3", Array("a\u{202E}b\u{85}\u{7F}".utf8), "CN=a\\e2\\80\\aeb\\c2\\85\\7f"),
            ("2.5.4.3", [0xED, 0xA0, 0x80, 0xC0, 0x80, 0xE2, 0x82], "CN=\\ed\\a0\\80\\c0\\80\\e2\\82"),
            ("1.2.3.4", Array("x".utf8), "1.2.3.4=#0c0178"), ("2.5.4.3", [], "CN="),
        ] as [(String, [UInt8], String)])
    func `a name is RFC 4514 text whatever bytes it holds`(oid: String, value: [UInt8], text: String) {
        let name = TestDER.name([(oid: oid, value: value)])
        let read = CertificateReader.read(TestTemplate.odd { $0.subject = name }.certificate)
        #expect(read.subject == text)
        #expect(read.subjectDER == name)
        #expect(read.unreadable.isEmpty)
    }

    @Test func `relative names are written last first, and an empty name is legal`() {
        let name = TestDER.name([
            (oid: "2.5.4.6", value: Array("US".utf8)), (oid: "2.5.4.10", value: Array("O".utf8)),
            (oid: "2.5.4.3", value: Array("ex".utf8)),
        ])
        let wide = TestDER.tlv(
            0x31, TestDER.sequence(TestDER.oid("2.5.4.3"), TestDER.tlv(0x1E, [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00])))
        let read = CertificateReader.read(
            TestTemplate.odd {
                $0.subject = name
                $0.issuer = TestDER.tlv(0x30, wide)
            }.certificate)
        #expect(read.subject == "CN=ex,O=O,C=US")
        #expect(read.issuer == "CN=A😀")
        let empty = TestTemplate.odd {
            $0.subject = TestDER.sequence()
            $0.extensions = [.alternativeNames(dns: [Array("ex.test".utf8)], critical: true)]
        }
        #expect(CertificateReader.read(empty.certificate).subject == "")
        #expect(CertificateReader.read(empty.certificate).unreadable.isEmpty)
        #expect(CertificateReader.read(empty.certificate).dnsNames == ["ex.test"])
    }

    @Test(arguments: [
        ("https://ex.test/", "https://ex.test/"), ("ex\0test", "ex\\00test"), ("bücher", "bücher"), ("", ""),
        ("ex.test.", "ex.test."), ("a..test", "a..test"), ("f*.ex.test", "f*.ex.test"),
    ])
    func `an odd name is listed as it stands, flagged, and matches nothing`(raw: String, text: String) {
        let odd = TestTemplate.odd {
            $0.extensions = [.alternativeNames(dns: [Array(raw.utf8), Array("ok.test".utf8)])]
        }
        let read = CertificateReader.read(odd.certificate)
        #expect(read.dnsNames == [text, "ok.test"])
        #expect(read.unreadable.map(\.field) == ["names"])
        #expect(!ReferenceIdentity.dns(HostName(checked: "ex.test")).matches(read))
        #expect(ReferenceIdentity.dns(HostName(checked: "ok.test")).matches(read))
    }

    @Test func `ten thousand names are read`() {
        let names = (0..<10_000).map { Array("h\($0).ex.test".utf8) }
        let read = CertificateReader.read(
            TestTemplate.odd { $0.extensions = [.alternativeNames(dns: names)] }.certificate)
        #expect(read.dnsNames?.count == 10_000)
        #expect(read.dnsNames?.last == "h9999.ex.test")
    }

    @Test func `version 1 and trailing bytes cost no field`() {
        let first = TestTemplate.odd {
            $0.version = nil
            $0.extensions = []
        }
        let read = CertificateReader.read(first.certificate)
        #expect(read.dnsNames == [])
        #expect(read.isCA == false)
        #expect(read.unreadable.isEmpty)
        let trailing = TestTemplate.odd { _ in }.edited { $0 + [0, 1] }
        #expect(CertificateReader.read(trailing.certificate).unreadable.isEmpty)
        #expect(CertificateReader.read(trailing.certificate).spki == TestPKI.sha256(trailing.key.spki))
    }

    @Test func `an extension that stands there twice is shown once and noted`() {
        let read = CertificateReader.read(TestTemplate.odd { $0.extensions += $0.extensions }.certificate)
        #expect(read.dnsNames == ["ex.test"])
        #expect(read.unreadable.map(\.field) == ["names"])
    }

    @Test(arguments: [
        ("2.5.29.17", ["names"]), ("2.5.29.19", ["is_ca"]), ("1.3.6.1.4.1.11129.2.4.2", ["scts"]),
        ("1.3.6.1.5.5.7.1.1", ["ocsp_urls", "aia_urls"]),
    ])
    func `a broken extension costs its own fields only`(oid: String, fields: [String]) {
        let read = CertificateReader.read(
            TestTemplate.odd {
                $0.extensions = $0.extensions.filter { $0.oid != oid } + [.init(oid, [0x30, 0x05, 0x01])]
            }.certificate)
        #expect(read.unreadable.map(\.field) == fields)
        #expect((read.dnsNames == nil) == fields.contains("names"))
        #expect((read.isCA == nil) == fields.contains("is_ca"))
        #expect((read.scts == nil) == fields.contains("scts"))
        #expect((read.aiaURLs == nil) == fields.contains("aia_urls"))
        #expect(read.subject == "CN=ex.test")
    }

    @Test func `an address of a wrong length is noted beside the good ones`() {
        let extensions = [
            TestTemplate.Extension.alternativeNames(
                dns: [], ip: [[127, 0, 0, 1], [1, 2, 3], [10, 0, 0, 0, 255, 0, 0, 0]])
        ]
        let read = CertificateReader.read(TestTemplate.odd { $0.extensions = extensions }.certificate)
        #expect(read.ipAddresses?.map(\.description) == ["127.0.0.1"])
        #expect(read.unreadable.map(\.field) == ["names"])
    }

    @Test(arguments: [
        (TestKey.Kind.rsa2048, TestKey.Digest.md5, ["md5_signature"]), (.rsa2048, .sha1, ["sha1_signature"]),
        (.p256, .sha1, ["sha1_signature"]), (.rsa2048, .sha256, []), (.p384, .sha384, []),
    ])
    func `weak signature digests have the contract's words`(
        kind: TestKey.Kind, digest: TestKey.Digest, weak: [String]
    ) {
        let read = CertificateReader.read(TestTemplate.odd(key: TestKey(kind)) { $0.digest = digest }.certificate)
        #expect(read.weak == weak)
    }

    /// SubjectPublicKeyInfo of an RSA key whose modulus has this many bits.
    private func rsa(bits: Int) -> [UInt8] {
        let modulus = [0x00, 0x80] + [UInt8](repeating: 0, count: bits / 8 - 2) + [0x01]
        let key = TestDER.sequence(TestDER.tlv(0x02, modulus), TestDER.tlv(0x02, [1, 0, 1]))
        let algorithm = TestDER.sequence(TestDER.oid("1.2.840.113549.1.1.1"), TestDER.null)
        return TestDER.sequence(algorithm, TestDER.bits(key))
    }

    @Test(arguments: [(8_192, false as Bool?), (8_200, nil), (16_384, nil)])
    func `a signature by an oversized key is not verified, and that is said`(bits: Int, expected: Bool?) {
        var template = TestTemplate.plain()
        template.issuer = template.subject
        template.spki = rsa(bits: bits)
        let forged = template.signed(for: TestKey(), by: TestKey(.rsa2048)).certificate
        let read = CertificateReader.read(forged)
        #expect(read.selfSigned == expected)
        #expect(read.key?.bits == bits)
        #expect(read.unreadable.map(\.field) == (expected == nil ? ["self_signed"] : []))
        #expect(CertificateReader.keyFamily(of: forged) == .rsa)
    }

    @Test func `a copied name does not make a certificate self-signed`() {
        let name = TestDER.name(commonName: "same")
        var template = TestTemplate.plain(name)
        template.issuer = name
        let forged = template.signed(for: TestKey(), by: TestKey())
        #expect(CertificateReader.read(forged.certificate).selfSigned == false)
    }

    @Test(arguments: [
        [], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x1F, 0x81], [0x04, 0x01, 0x00],
    ])
    func `bytes that are no certificate keep their fingerprint and say so in every field`(bytes: [UInt8]) {
        let read = CertificateReader.read(CertificateReader.certificate(der: bytes))
        #expect(read.fingerprint == TestPKI.sha256(bytes))
        #expect(read.spki == nil)
        #expect(CertificateReader.keyFamily(of: CertificateReader.certificate(der: bytes)) == nil)
        let fields = Set(read.unreadable.map(\.field))
        let all = [
            "spki", "key", "subject", "issuer", "serial", "not_before", "not_after", "names", "is_ca", "signature",
        ]
        #expect(fields.isSuperset(of: all))
    }

    @Test func `a missing field never puts a digest of something else in the key's place`() {
        let key = TestKey()
        let name = TestDER.name(commonName: "x")
        let times = TestDER.sequence(TestDER.time(TestPKI.start), TestDER.time(TestPKI.end))
        // No serial: everything stands one place early.
        let body = TestDER.sequence(key.signatureAlgorithm(), name, times, name, key.spki, name)
        let der = TestDER.sequence(body, key.signatureAlgorithm(), TestDER.bits([0]))
        #expect(CertificateReader.read(CertificateReader.certificate(der: der)).spki == nil)
    }
}
