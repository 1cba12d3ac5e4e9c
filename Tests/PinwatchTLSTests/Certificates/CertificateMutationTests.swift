import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

/// Damaged bytes never crash the reader or the path builder, and always keep their fingerprint.
struct CertificateMutationTests {
    static let samples: [TestCertificate] = [
        TestCA.root().leaf(
            dns: ["a.test"], ip: ["::1"], ocsp: ["http://o.test"], aia: ["http://i.test"], timestamps: 2),
        TestPKI.selfSigned(dns: ["b.test"], key: TestKey(.rsa2048)),
        TestPKI.selfSigned(key: TestKey(.p256ExplicitParameters)),
        TestPKI.selfSigned(key: TestKey(.rsaPSS2048)),
    ]

    @Test(.timeLimit(.minutes(5)), arguments: samples.indices)
    func `every truncation is read as far as it goes`(index: Int) {
        let sample = Self.samples[index]
        let spki = TestPKI.sha256(sample.key.spki)
        for length in 0..<sample.der.count {
            let der = Array(sample.der.prefix(length))
            let read = CertificateReader.read(CertificateReader.certificate(der: der))
            #expect(read.fingerprint == TestPKI.sha256(der))
            #expect(read.spki == nil || read.spki == spki)
            #expect(!read.unreadable.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: samples.indices)
    func `every byte may be any other`(index: Int) throws {
        let sample = Self.samples[index]
        let root = TestCA.root()
        let store = try TrustStore(name: "t", bundle: root.der)
        for place in sample.der.indices {
            for value in [0x00, 0x84, 0xFF, sample.der[place] ^ 0x01] as [UInt8] where value != sample.der[place] {
                var der = sample.der
                der[place] = value
                let certificate = CertificateReader.certificate(der: der)
                #expect(CertificateReader.read(certificate).fingerprint == TestPKI.sha256(der))
                guard (place + Int(value)).isMultiple(of: 5) else { continue }
                let chain = TestPKI.chain(der: [der, root.der])
                let assessment = PathBuilder.assess(chain: chain, trustStore: store, at: TestPKI.now)
                #expect(assessment.paths.isEmpty)
                #expect(assessment.code != .ok)
            }
        }
    }
}
