import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

@Suite struct KeyFileTests {
    static let authority = TestCA.root("Shop Root")
    static let leaf = authority.leaf(dns: ["api.example.com"])
    static let rsa = TestKey(.rsa2048)

    /// A bag of certificates without signers (RFC 2315 section 9.1), with indefinite lengths if `isBER`.
    private static func bag(_ certificates: [[UInt8]], isBER: Bool) -> [UInt8] {
        let inner = TestDER.sequence(TestDER.oid("1.2.840.113549.1.7.1"))
        let signed = TestDER.sequence(
            [0x02, 0x01, 0x01], [0x31, 0x00], inner, TestDER.tlv(0xA0, certificates.flatMap { $0 }), [0x31, 0x00])
        let body = TestDER.oid("1.2.840.113549.1.7.2")
        guard isBER else { return TestDER.sequence(body, TestDER.tlv(0xA0, signed)) }
        return [0x30, 0x80] + body + [0xA0, 0x80] + signed + [0, 0, 0, 0]
    }

    private static func request(_ key: TestKey) -> [UInt8] {
        let info = TestDER.sequence([0x02, 0x01, 0x00], TestDER.name(commonName: "next"), key.spki, [0xA0, 0x00])
        return TestDER.sequence(info, key.signatureAlgorithm(), TestDER.bits(key.sign(info)))
    }

    /// The PKCS #1 key within a SubjectPublicKeyInfo of RSA 2048.
    private static var pkcs1: [UInt8] { Array(rsa.spki.dropFirst(24)) }

    private func pins(_ bytes: [UInt8], _ client: Client = .generic) throws -> [String?] {
        let imported = try Importer.release(
            [HandedFile(name: "it", bytes: bytes)], context: Sample.context(client, host: "h.example"))
        return try imported.policy(client)["hosts"]?.items.first?["pins"]?.items.map(\.scalar) ?? []
    }

    @Test func `every kind of file gives the same key's pin`() throws {
        let leafPin = TestPKI.sha256(Self.leaf.key.spki).pin
        let rootPin = TestPKI.sha256(Self.authority.key.spki).pin
        let rsaPin = TestPKI.sha256(Self.rsa.spki).pin
        let both = [Self.leaf.der, Self.authority.der]
        let files: [(String, [UInt8], [String])] = [
            ("PEM chain", Array((Self.leaf.certificatePEM + Self.authority.certificatePEM).utf8), [leafPin, rootPin]),
            ("DER", Self.leaf.der, [leafPin]), ("PKCS #7", Self.bag(both, isBER: false), [leafPin, rootPin]),
            ("PKCS #7 in BER", Self.bag(both, isBER: true), [leafPin, rootPin]),
            ("PKCS #7 in PEM", Array(TestPEM.text("PKCS7", Self.bag(both, isBER: false)).utf8), [leafPin, rootPin]),
            ("SPKI", Self.leaf.key.spki, [leafPin]), ("SPKI in PEM", Array(Self.leaf.key.publicKeyPEM.utf8), [leafPin]),
            ("PKCS #1", Self.pkcs1, [rsaPin]),
            ("PKCS #1 in PEM", Array(TestPEM.text("RSA PUBLIC KEY", Self.pkcs1).utf8), [rsaPin]),
            ("CSR", Self.request(Self.leaf.key), [leafPin]),
            ("CSR in PEM", Array(TestPEM.text("CERTIFICATE REQUEST", Self.request(Self.rsa)).utf8), [rsaPin]),
        ]
        for (name, bytes, expected) in files { #expect(try pins(bytes) == expected, "\(name)") }
    }

    @Test func `client and host are asked for, and the hashes are told all the same`() throws {
        let imported = try Importer.release([HandedFile(name: "it", bytes: Self.leaf.der)], context: ImportContext())
        #expect(
            imported.format == .keyFiles && imported.files.isEmpty && Set(imported.mustAnswer) == ["client", "host"])
        let report = ImportReport.text(imported)
        for hash in [
            TestPKI.sha256(Self.leaf.key.spki).base64, TestPKI.sha256(Self.leaf.der).hex,
            PinText.canonical(TestPKI.sha1(Self.leaf.key.spki)), Hex.text(TestPKI.sha1(Self.leaf.der)),
            "raw key sha256",
        ] { #expect(report.contains(hash), "\(hash) in \(report)") }
    }

    @Test func `private keys are refused in every form, and nothing of them is said`() throws {
        let pem = Self.rsa.privateKeyPEM
        let body = pem.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
        let version: [UInt8] = [0x02, 0x01, 0x00]
        let number: [UInt8] = [0x02, 0x02, 0x7F, 0x01]
        let forms: [(String, [UInt8])] = [
            ("PKCS #8 in PEM", Array(pem.utf8)), ("beside a certificate", Array((Self.leaf.certificatePEM + pem).utf8)),
            ("within source", Array("CertificatePinner\n\(pem)".utf8)),
            ("PKCS #1", TestDER.sequence(version, number, number)),
            ("SEC 1", TestDER.sequence([0x02, 0x01, 0x01], TestDER.octets([1, 2, 3]))),
            (
                "PKCS #8",
                TestDER.sequence(version, TestDER.sequence(TestDER.oid("1.2.840.10045.2.1")), TestDER.octets([1]))
            ),
            (
                "encrypted PKCS #8",
                TestDER.sequence(TestDER.sequence(TestDER.oid("1.2.840.113549.1.5.13")), TestDER.octets([1]))
            ),
        ]
        for (name, bytes) in forms {
            let refusal = Sample.refusal([HandedFile(name: "it", bytes: bytes)])
            #expect(
                refusal.contains("private key") && refusal.contains("openssl pkey -in FILE -pubout"),
                "\(name): \(refusal)")
            #expect(!refusal.contains(body))
        }
        let pfx = TestDER.sequence([0x02, 0x01, 0x03], TestDER.sequence(TestDER.oid("1.2.840.113549.1.7.1")))
        #expect(Sample.refusal([HandedFile(name: "it", bytes: pfx)]).contains("openssl pkcs12 -in FILE -nokeys"))
    }

    @Test(
        "malformed twins are refused",
        arguments: [
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMIIB",
            "-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----",
            "-----BEGIN RSA PUBLIC KEY-----\nMAA=\n-----END RSA PUBLIC KEY-----",
            "-----BEGIN PKCS7-----\nMAA=\n-----END PKCS7-----",
            "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----",
            "-----BEGIN DH PARAMETERS-----\nMAA=\n-----END DH PARAMETERS-----", "0",
        ])
    func malformed(_ text: String) {
        let refusal = Sample.refusal([Sample.file("it", text)])
        #expect(refusal.hasPrefix("it: "), "\(refusal)")
    }

    @Test func `cut and bent bags and requests are refused or read, never a crash`() {
        var generator = SeededGenerator(seed: 3)
        for whole in [Self.bag([Self.leaf.der], isBER: true), Self.request(Self.leaf.key), Self.pkcs1, Self.leaf.der] {
            for _ in 0..<400 {
                var bytes = whole
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                bytes.removeLast(Int.random(in: 0..<20, using: &generator))
                _ = Sample.refusal([HandedFile(name: "it", bytes: bytes)])
            }
        }
    }
}

@Suite struct BarePinTests {
    static let leaf = TestCA.root().leaf(dns: ["api.example.com"])
    private static var summary: CertificateSummary { CertificateReader.read(leaf.certificate) }

    private func read(_ text: String, _ client: Client = .generic, beside files: [HandedFile] = []) throws -> Imported {
        try Importer.release([Sample.file("it", text)] + files, context: Sample.context(client, host: "h.example"))
    }

    private func pins(_ imported: Imported) throws -> [String?] {
        try imported.policy(.generic)["hosts"]?.items.first?["pins"]?.items.map(\.scalar) ?? []
    }

    @Test(
        "every notation of a key's hash",
        arguments: [
            "sha256/PIN", "sha256//PIN", "pin-sha256=\"PIN\"", "\"sha256/PIN\",", "  - 'sha256/PIN'",
            "sha256/PIN # first",
            "[\"sha256/PIN\"]", "# pins of the shop\n\nsha256/PIN\r\n",
        ])
    func notation(_ text: String) throws {
        let pin = try pins(try read(text.replacing("PIN", with: Sample.first)))
        #expect(pin == [Sample.first] || pin == ["sha256/" + Sample.first])
    }

    @Test func `several on a line, and several lines`() throws {
        let imported = try read("sha256/\(Sample.first);sha256/\(Sample.second)\nsha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        #expect(try pins(imported) == [Sample.first, Sample.second, "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="])
    }

    @Test func `a pin of unknown kind is told by its five hashes`() throws {
        let file = HandedFile(name: "leaf.cer", bytes: Self.leaf.der)
        let spki = TestPKI.sha256(Self.leaf.key.spki)
        let whole = TestPKI.sha256(Self.leaf.der)
        let raw = try #require(Self.summary.rawKeySHA256)
        let colons = stride(from: 0, to: 64, by: 2).map { String(Array(whole.hex.uppercased())[$0...$0 + 1]) }.joined(
            separator: ":")
        let cases: [(String, String, String?)] = [
            (spki.base64, spki.pin, nil), (spki.hex, spki.pin, nil), (spki.base64url, spki.pin, nil),
            (whole.base64, "cert-sha256:" + whole.hex, "whole certificate"),
            (colons, "cert-sha256:" + whole.hex, "whole certificate"),
            (raw.base64, raw.pin, "it can never match"), ("sha256/" + raw.base64, raw.base64, "it can never match"),
            (Hex.text(TestPKI.sha1(Self.leaf.der)), "cert-sha256:" + whole.hex, "the SHA-1 of a whole certificate"),
            (
                Hex.text(TestPKI.sha1(Self.leaf.key.spki)),
                "sha1/" + PinText.canonical(TestPKI.sha1(Self.leaf.key.spki)), nil
            ),
            (Hex.text(Self.leaf.key.spki), spki.pin, "the key itself"),
        ]
        for (text, expected, remark) in cases where !text.hasPrefix("3059") {
            let imported = try read(text, beside: [file])
            #expect(try pins(imported) == [expected], "\(text): \(imported.remarkTexts)")
            #expect(
                imported.remarkTexts.contains { $0.contains(remark ?? "") }
                    || remark == nil && imported.remarks.isEmpty, "\(text)")
        }
    }

    @Test func `without a certificate at hand the kind is asked for`() throws {
        let imported = try read(Sample.first)
        #expect(
            try pins(imported) == ["sha256/" + Sample.first] && imported.questionIDs == ["kind"]
                && imported.mustAnswer.isEmpty)
        let sha1 = try read(String(repeating: "ab", count: 20))
        #expect(sha1.mustAnswer == ["kind"])
    }

    @Test(
        "lines of common tools say what they are of",
        arguments: [
            ("sha256 Fingerprint=COLONS", "cert-sha256:HEX"), ("SHA256 Fingerprint=COLONS", "cert-sha256:HEX"),
            ("SHA-256 Fingerprint: COLONS", "cert-sha256:HEX"),
            ("Certificate fingerprints:\n\t SHA1: SHORT\n\t SHA256: COLONS", "cert-sha256:HEX"),
            ("writing RSA key\nSHA2-256(stdin)= KEY", "sha256/PIN"), ("SHA256(leaf=1.der)= KEY", "sha256/PIN"),
            ("(stdin)= KEY", "sha256/PIN"), ("SHA256 (pub.der) = KEY", "sha256/PIN"), ("KEY  pub.der", "sha256/PIN"),
            ("KEY *stdin", "sha256/PIN"), ("read EC key\nwriting EC key\nPIN", "sha256/PIN"),
            ("SHA1 Fingerprint=SHORT", "cert-sha256:HEX"),
        ])
    func tools(_ text: String, _ expected: String) throws {
        let file = HandedFile(name: "leaf.cer", bytes: Self.leaf.der)
        let (whole, spki) = (TestPKI.sha256(Self.leaf.der), TestPKI.sha256(Self.leaf.key.spki))
        func filled(_ text: String) -> String {
            text.replacing("COLONS", with: Self.colons(whole.hex)).replacing("HEX", with: whole.hex)
                .replacing("SHORT", with: Self.colons(Hex.text(TestPKI.sha1(Self.leaf.der))))
                .replacing("KEY", with: spki.hex).replacing("PIN", with: spki.base64)
        }
        let imported = try read(filled(text), beside: [file])
        #expect(try pins(imported) == [filled(expected)], "\(imported.remarkTexts)")
        guard text.contains("COLONS") else { return }
        // A certificate's hash says so itself.
        let alone = try read(filled(text))
        #expect(try pins(alone) == [filled(expected)] && alone.mustAnswer.isEmpty, "\(alone.remarkTexts)")
    }

    @Test(
        "a tool's line without a hash is none",
        arguments: [
            "sha256 Fingerprint=", "SHA256 Fingerprint=AA:BB", "writing RSA key", "SHA256(stdin)= xyz", "MD5: AA",
        ])
    func noHash(_ text: String) { #expect(!BarePins.recognises(text)) }

    private static func colons(_ hex: String) -> String {
        let digits = Array(hex.uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...$0 + 1]) }.joined(separator: ":")
    }

    @Test func `OpenSSH's notation is no pin`() throws {
        let imported = try read("SHA256:yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI")
        #expect(try pins(imported) == [] && imported.remarkTexts.contains { $0.contains("OpenSSH") })
    }

    @Test(
        "what is no pin is not recognised",
        arguments: ["hello", "sha256/", "AAAA", "deadbeef", "sha256/x y z", "{\"a\": 1}", "\u{0}"])
    func nothing(_ text: String) {
        #expect(Sample.refusal([Sample.file("it", text)]).contains("no pins are recognised in it"))
    }

    @Test("a client's own policy is made of them", arguments: Client.allCases)
    func clients(_ client: Client) throws {
        let imported = try read("sha256/\(Sample.first)\nsha256/\(Sample.second)", client)
        let later: Set<Client> = [
            .ktorDarwin, .cronet, .rnSSLPinningIOS, .rnSSLPinningAndroid, .rnPublicKeyPinningIOS,
            .rnPublicKeyPinningAndroid,
            .httpCertificatePinning, .dartSecurityContext, .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid,
            .dotnetCallback,
            .wultraIOS, .wultraAndroid,
        ]
        if later.contains(client) {
            #expect(imported.mustAnswer == ["client"])
        } else {
            #expect(try imported.policyText(client).contains(Sample.second) && imported.mustAnswer.isEmpty)
        }
    }
}
