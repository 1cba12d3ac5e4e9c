package import PinwatchCore

/// Answers about revocation as authorities sign them, deaf to what makes sense.
package struct TestRevocation: Sendable {
    package enum Answer: Sendable {
        case good, unknown
        /// The reason's number; `nil` writes none.
        case revoked(Instant, reason: UInt8?)
    }

    /// Whom the answer names as the issuer.
    package var issuer: TestCertificate
    /// Whose key signs.
    package var signer: TestKey
    /// The signer's certificate, sent along; `nil` sends none.
    package var responder: TestCertificate?
    package var thisUpdate: Instant
    package var nextUpdate: Instant?

    package init(
        issuer: TestCertificate, thisUpdate: Instant = TestPKI.now - 3_600, nextUpdate: Instant? = TestPKI.now + 86_400
    ) {
        self.issuer = issuer
        signer = issuer.key
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
    }

    /// An OCSP response (RFC 6960 section 4.2.1) about one serial number.
    package func ocsp(_ answer: Answer, serial: [UInt8]) -> [UInt8] {
        let names = TestDER.sequence(
            TestDER.sequence(TestDER.oid("1.3.14.3.2.26"), TestDER.null),
            TestDER.octets(TestPKI.sha1(issuer.template.subject)),
            // The key's bits alone: an uncompressed point of P-256.
            TestDER.octets(TestPKI.sha1(Array(issuer.key.spki.suffix(65)))), TestDER.tlv(0x02, serial))
        let status: [UInt8]
        switch answer {
        case .good: status = [0x80, 0]
        case .unknown: status = [0x82, 0]
        case .revoked(let at, let reason):
            status = TestDER.tlv(0xA1, Self.time(at) + (reason.map { TestDER.tlv(0xA0, [0x0A, 1, $0]) } ?? []))
        }
        let single = TestDER.sequence(
            names, status, Self.time(thisUpdate), nextUpdate.map { TestDER.tlv(0xA0, Self.time($0)) } ?? [])
        let name = (responder ?? issuer).template.subject
        let body = TestDER.sequence(TestDER.tlv(0xA1, name), Self.time(thisUpdate), TestDER.sequence(single))
        let basic = TestDER.sequence(
            body, signer.signatureAlgorithm(), TestDER.bits(signer.sign(body)),
            responder.map { TestDER.tlv(0xA0, TestDER.sequence($0.der)) } ?? [])
        return TestDER.sequence(
            [0x0A, 1, 0],
            TestDER.tlv(0xA0, TestDER.sequence(TestDER.oid("1.3.6.1.5.5.7.48.1.1"), TestDER.octets(basic))))
    }

    /// A list (RFC 5280 section 5.1) of serial numbers.
    ///
    /// - Parameter point: The one distribution point that it is about; `nil` is about all.
    package func list(_ revoked: [(serial: [UInt8], at: Instant, reason: UInt8?)], point: String? = nil) -> [UInt8] {
        let entries = revoked.map { serial, at, reason in
            let extensions = reason.map { reason in
                TestDER.sequence(
                    TestDER.sequence(TestDER.oid("2.5.29.21"), TestDER.octets([0x0A, 1, reason])))
            }
            return TestDER.sequence(TestDER.tlv(0x02, serial), TestDER.time(at), extensions ?? [])
        }
        let points = point.map { url in
            let name = TestDER.tlv(0xA0, TestDER.tlv(0xA0, TestDER.tlv(0x86, Array(url.utf8))))
            return TestDER.tlv(
                0xA0,
                TestDER.sequence(
                    TestDER.sequence(
                        TestDER.oid("2.5.29.28"), [0x01, 0x01, 0xFF], TestDER.octets(TestDER.sequence(name)))))
        }
        let body = TestDER.sequence(
            [0x02, 1, 1], signer.signatureAlgorithm(), issuer.template.subject, TestDER.time(thisUpdate),
            nextUpdate.map { TestDER.time($0) } ?? [], entries.isEmpty ? [] : TestDER.sequence(of: entries),
            points ?? [])
        return TestDER.sequence(body, signer.signatureAlgorithm(), TestDER.bits(signer.sign(body)))
    }

    private static func time(_ instant: Instant) -> [UInt8] {
        guard let text = instant.rfc3339 else { preconditionFailure("answers of tests lie in years 1 to 9999") }
        return TestDER.tlv(0x18, Array((text.filter(\.isNumber) + "Z").utf8))
    }
}

extension TestTemplate.Extension {
    /// cRLDistributionPoints of one URL each (RFC 5280 section 4.2.1.13).
    package static func distributionPoints(_ urls: [String]) -> Self {
        Self(
            "2.5.29.31",
            TestDER.sequence(
                of: urls.map { url in
                    TestDER.sequence(TestDER.tlv(0xA0, TestDER.tlv(0xA0, TestDER.tlv(0x86, Array(url.utf8)))))
                }))
    }
}
