internal import COpenSSL
package import PinwatchCore

/// A certificate with the key that it is for.
package struct TestCertificate: Sendable {
    package let der: [UInt8]
    package let key: TestKey
    /// What it was made from; for certificates whose bytes were edited afterwards, what they were made from before.
    package let template: TestTemplate

    package var certificatePEM: String { TestPEM.text("CERTIFICATE", der) }
    package var privateKeyPEM: String { key.privateKeyPEM }
    /// Core's view of it.
    package var certificate: Certificate { TestPKI.certificate(der: der) }

    /// The same with other bytes, for faults that no template can describe.
    package func edited(_ edit: ([UInt8]) -> [UInt8]) -> TestCertificate {
        TestCertificate(der: edit(der), key: key, template: template)
    }

    /// The same with every occurrence of `old` replaced; lengths are not mended, so both must be as long.
    package func replacing(_ old: [UInt8], with new: [UInt8]) -> TestCertificate {
        precondition(old.count == new.count, "a replacement must not change lengths")
        return edited { bytes in
            var bytes = bytes
            var index = 0
            while index + old.count <= bytes.count {
                if bytes[index..<index + old.count].elementsEqual(old) {
                    bytes.replaceSubrange(index..<index + old.count, with: new)
                    index += old.count
                } else {
                    index += 1
                }
            }
            return bytes
        }
    }
}

/// Everything that stands in a certificate, as raw as a test may want it.
package struct TestTemplate: Sendable {
    /// One extension; `value` is what goes into the OCTET STRING.
    package struct Extension: Sendable {
        package var oid: String
        package var critical: Bool
        package var value: [UInt8]
        package init(_ oid: String, critical: Bool = false, _ value: [UInt8]) {
            self.oid = oid
            self.critical = critical
            self.value = value
        }

        var der: [UInt8] {
            TestDER.sequence(
                of: [TestDER.oid(oid)] + (critical ? [[0x01, 0x01, 0xFF]] : []) + [TestDER.octets(value)])
        }
    }

    /// 2 for version 3; `nil` leaves the field out, which means version 1.
    package var version: UInt8? = 2
    /// The INTEGER's bytes.
    package var serial: [UInt8]
    /// Whole DER Names.
    package var subject: [UInt8]
    package var issuer: [UInt8]
    /// Whole DER times.
    package var notBefore: [UInt8]
    package var notAfter: [UInt8]
    /// `nil` takes the certificate's own key.
    package var spki: [UInt8]?
    package var extensions: [Extension] = []
    package var digest = TestKey.Digest.sha256

    package init(
        subject: [UInt8], issuer: [UInt8], notBefore: Instant, notAfter: Instant,
        serial: [UInt8] = TestPKI.randomSerial()
    ) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = TestDER.time(notBefore)
        self.notAfter = TestDER.time(notAfter)
        self.serial = serial
    }

    /// Encodes and signs.
    package func signed(for key: TestKey, by signer: TestKey) -> TestCertificate {
        let algorithm = signer.signatureAlgorithm(digest)
        var fields = version.map { [TestDER.tlv(0xA0, [0x02, 0x01, $0])] } ?? []
        fields += [TestDER.tlv(0x02, serial), algorithm, issuer, TestDER.sequence(notBefore, notAfter), subject]
        fields.append(spki ?? key.spki)
        if !extensions.isEmpty { fields.append(TestDER.tlv(0xA3, TestDER.sequence(of: extensions.map(\.der)))) }
        let body = TestDER.sequence(of: fields)
        let der = TestDER.sequence(body, algorithm, TestDER.bits(signer.sign(body, digest: digest)))
        return TestCertificate(der: der, key: key, template: self)
    }
}

extension TestTemplate.Extension {
    package static func basicConstraints(isCA: Bool) -> Self {
        Self("2.5.29.19", critical: true, isCA ? TestDER.sequence([0x01, 0x01, 0xFF]) : TestDER.sequence())
    }

    /// keyCertSign and cRLSign.
    package static let signing = Self("2.5.29.15", critical: true, [0x03, 0x02, 0x01, 0x06])

    package static func subjectKeyID(_ key: TestKey) -> Self {
        Self("2.5.29.14", TestDER.octets(TestPKI.sha1(key.spki)))
    }
    package static func authorityKeyID(_ key: TestKey) -> Self {
        Self("2.5.29.35", TestDER.sequence(TestDER.tlv(0x80, TestPKI.sha1(key.spki))))
    }

    /// Purposes by dotted identifier; `1.3.6.1.5.5.7.3.1` is serverAuth.
    package static func extendedKeyUsage(_ purposes: [String]) -> Self {
        Self("2.5.29.37", TestDER.sequence(of: purposes.map(TestDER.oid)))
    }

    /// subjectAltName of raw dNSName and iPAddress bytes.
    package static func alternativeNames(dns: [[UInt8]], ip: [[UInt8]] = [], critical: Bool = false) -> Self {
        Self(
            "2.5.29.17", critical: critical,
            TestDER.sequence(of: dns.map { TestDER.tlv(0x82, $0) } + ip.map { TestDER.tlv(0x87, $0) }))
    }

    package static func authorityInformation(ocsp: [String], issuers: [String]) -> Self {
        func access(_ method: String, _ url: String) -> [UInt8] {
            TestDER.sequence(TestDER.oid(method), TestDER.tlv(0x86, Array(url.utf8)))
        }
        return Self(
            "1.3.6.1.5.5.7.1.1",
            TestDER.sequence(
                of: ocsp.map { access("1.3.6.1.5.5.7.48.1", $0) } + issuers.map { access("1.3.6.1.5.5.7.48.2", $0) }))
    }

    /// A list of well-formed timestamps (RFC 6962 section 3.3) whose signatures nobody made.
    package static func timestamps(_ count: Int) -> Self {
        let one: [UInt8] =
            [0] + [UInt8](repeating: 7, count: 32) + [0, 0, 1, 0x90, 0, 0, 0, 0] + [0, 0] + [4, 3, 0, 4] + [1, 2, 3, 4]
        let entry = [UInt8(one.count >> 8), UInt8(one.count & 0xFF)] + one
        let list = Array([[UInt8]](repeating: entry, count: count).joined())
        return Self(
            "1.3.6.1.4.1.11129.2.4.2", TestDER.octets([UInt8(list.count >> 8), UInt8(list.count & 0xFF)] + list))
    }
}
