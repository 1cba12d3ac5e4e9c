internal import COpenSSL
package import PinwatchCore

/// What every test's certificates have in common.
package enum TestPKI {
    /// 2026-11-30T12:00:00Z, inside the validity of everything made here by default.
    package static let now = Instant(unixSeconds: 1_796_040_000)
    /// 2020-01-01T00:00:00Z.
    package static let start = Instant(unixSeconds: 1_577_836_800)
    /// 2040-01-01T00:00:00Z, the end of authorities.
    package static let end = Instant(unixSeconds: 2_208_988_800)
    /// 2036-01-01T00:00:00Z, the end of leaves.
    package static let leafEnd = Instant(unixSeconds: 2_082_758_400)

    package static func sha256(_ bytes: [UInt8]) -> SHA256Digest {
        var out = [UInt8](repeating: 0, count: 32)
        unsafe _ = SHA256(bytes, bytes.count, &out)
        guard let digest = SHA256Digest(out) else { preconditionFailure("SHA-256 gives 32 bytes") }
        return digest
    }

    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 20)
        unsafe _ = SHA1(bytes, bytes.count, &out)
        return out
    }

    /// 8 bytes, positive, the first never zero.
    package static func randomSerial() -> [UInt8] {
        [UInt8.random(in: 1...0x7F)] + (0..<7).map { _ in UInt8.random(in: 0...255) }
    }

    /// Core's certificate over any bytes.
    package static func certificate(der: [UInt8]) -> Certificate {
        Certificate(der: der, fingerprint: sha256(der))
    }

    /// Core's chain over any bytes, in the order given.
    package static func chain(der entries: [[UInt8]]) -> Chain {
        let certificates = entries.map { certificate(der: $0) }
        let id = sha256(certificates.flatMap(\.fingerprint.bytes))
        return Chain(id: ChainID(digest: id), certificates: certificates)
    }

    /// Core's chain as a server would send these.
    package static func chain(_ certificates: TestCertificate...) -> Chain {
        chain(der: certificates.map(\.der))
    }

    /// The PEM of several certificates, as `ssl_certificate` of nginx wants it: leaf first.
    package static func chainPEM(_ certificates: TestCertificate...) -> String {
        certificates.map(\.certificatePEM).joined()
    }

    /// A leaf that signs itself.
    package static func selfSigned(
        dns: [String] = [], ip: [String] = [], commonName: String = "self", key: TestKey = TestKey(),
        notBefore: Instant = start, notAfter: Instant = leafEnd
    ) -> TestCertificate {
        let name = TestDER.name(commonName: commonName)
        var template = TestTemplate(subject: name, issuer: name, notBefore: notBefore, notAfter: notAfter)
        template.extensions = TestCA.leafExtensions(dns: dns, ip: ip, purposes: [TestCA.serverAuth])
        return template.signed(for: key, by: key)
    }
}

/// A certificate authority, root or not, able to issue.
package struct TestCA: Sendable {
    package static let serverAuth = "1.3.6.1.5.5.7.3.1"
    package static let clientAuth = "1.3.6.1.5.5.7.3.2"

    /// Its own certificate; the one that was cross-signed after ``crossSigned(by:notBefore:notAfter:)``.
    package let certificate: TestCertificate

    /// Issues with any certificate's key and name, whether or not it is an authority's.
    package init(certificate: TestCertificate) {
        self.certificate = certificate
    }

    package var key: TestKey { certificate.key }
    package var der: [UInt8] { certificate.der }
    package var certificatePEM: String { certificate.certificatePEM }

    /// A self-signed authority.
    package static func root(
        _ name: String = "Test Root", key: TestKey = TestKey(), digest: TestKey.Digest = .sha256,
        notBefore: Instant = TestPKI.start, notAfter: Instant = TestPKI.end
    ) -> TestCA {
        let subject = TestDER.name(commonName: name)
        var template = TestTemplate(subject: subject, issuer: subject, notBefore: notBefore, notAfter: notAfter)
        template.digest = digest
        template.extensions = [.basicConstraints(isCA: true), .signing, .subjectKeyID(key)]
        return TestCA(certificate: template.signed(for: key, by: key))
    }

    /// An authority below this one.
    package func intermediate(
        _ name: String = "Test Intermediate", key: TestKey = TestKey(), digest: TestKey.Digest = .sha256,
        notBefore: Instant = TestPKI.start, notAfter: Instant = TestPKI.end, aia: [String] = []
    ) -> TestCA {
        authority(
            TestDER.name(commonName: name), key: key, digest: digest, notBefore: notBefore, notAfter: notAfter, aia: aia
        )
    }

    /// The same name and key, certified by another authority.
    package func crossSigned(
        by issuer: TestCA, notBefore: Instant = TestPKI.start, notAfter: Instant = TestPKI.end
    ) -> TestCA {
        issuer.authority(
            certificate.template.subject, key: key, digest: .sha256, notBefore: notBefore, notAfter: notAfter, aia: [])
    }

    /// A server's certificate. `dns` is kept as given, and `ip` is text of IPv4 or IPv6 addresses.
    package func leaf(
        dns: [String] = [], ip: [String] = [], commonName: String? = nil, key: TestKey = TestKey(),
        notBefore: Instant = TestPKI.start, notAfter: Instant = TestPKI.leafEnd,
        purposes: [String] = [TestCA.serverAuth], digest: TestKey.Digest = .sha256,
        ocsp: [String] = [], aia: [String] = [], timestamps: Int = 0
    ) -> TestCertificate {
        let name = TestDER.name(commonName: commonName ?? dns.first ?? ip.first ?? "leaf")
        var template = TestTemplate(
            subject: name, issuer: certificate.template.subject, notBefore: notBefore, notAfter: notAfter)
        template.digest = digest
        template.extensions = Self.leafExtensions(dns: dns, ip: ip, purposes: purposes)
        template.extensions.append(.authorityKeyID(self.key))
        if !ocsp.isEmpty || !aia.isEmpty { template.extensions.append(.authorityInformation(ocsp: ocsp, issuers: aia)) }
        if timestamps > 0 { template.extensions.append(.timestamps(timestamps)) }
        return template.signed(for: key, by: self.key)
    }

    /// The same subject, names and key in a new certificate: a renewal that keeps the key.
    package func renewal(
        of old: TestCertificate, notBefore: Instant = TestPKI.start, notAfter: Instant = TestPKI.leafEnd
    ) -> TestCertificate {
        var template = old.template
        template.serial = TestPKI.randomSerial()
        template.notBefore = TestDER.time(notBefore)
        template.notAfter = TestDER.time(notAfter)
        return template.signed(for: old.key, by: key)
    }

    static func leafExtensions(dns: [String], ip: [String], purposes: [String]) -> [TestTemplate.Extension] {
        var extensions: [TestTemplate.Extension] = [.basicConstraints(isCA: false)]
        if !purposes.isEmpty { extensions.append(.extendedKeyUsage(purposes)) }
        if !dns.isEmpty || !ip.isEmpty {
            let addresses = ip.map { text in
                guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address") }
                return address.bytes
            }
            extensions.append(.alternativeNames(dns: dns.map { Array($0.utf8) }, ip: addresses))
        }
        return extensions
    }

    private func authority(
        _ subject: [UInt8], key: TestKey, digest: TestKey.Digest, notBefore: Instant, notAfter: Instant, aia: [String]
    ) -> TestCA {
        var template = TestTemplate(
            subject: subject, issuer: certificate.template.subject, notBefore: notBefore, notAfter: notAfter)
        template.digest = digest
        template.extensions = [
            .basicConstraints(isCA: true), .signing, .subjectKeyID(key), .authorityKeyID(self.key),
        ]
        if !aia.isEmpty { template.extensions.append(.authorityInformation(ocsp: [], issuers: aia)) }
        return TestCA(certificate: template.signed(for: key, by: self.key))
    }
}
