import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

/// Both forms of time anywhere, and the forms that issuers wrote before it was forbidden.
struct CertificateTimeTests {
    @Test(
        arguments: [
            (0x17, "250101000000Z", "2025-01-01T00:00:00Z"), (0x18, "20250101000000Z", "2025-01-01T00:00:00Z"),
            (0x18, "20550101000000Z", "2055-01-01T00:00:00Z"), (0x18, "99991231235959Z", "9999-12-31T23:59:59Z"),
            (0x18, "99991231225959.357Z", "9999-12-31T22:59:59Z"), (0x17, "2501010000Z", "2025-01-01T00:00:00Z"),
            (0x17, "250101000000+0100", "2024-12-31T23:00:00Z"), (0x18, "20250101000000-0130", "2025-01-01T01:30:00Z"),
            (0x17, "491231235959Z", "2049-12-31T23:59:59Z"), (0x17, "500101000000Z", "1950-01-01T00:00:00Z"),
            (0x18, "2025010100Z", "2025-01-01T00:00:00Z"), (0x17, "240229000000Z", "2024-02-29T00:00:00Z"),
        ] as [(UInt8, String, String)])
    func `a time is read in every form that was ever written`(tag: UInt8, text: String, expected: String) {
        let time = TestDER.tlv(tag, Array(text.utf8))
        let read = CertificateReader.read(
            TestTemplate.odd {
                $0.notBefore = time
                $0.notAfter = time
            }.certificate)
        #expect(read.notBefore?.rfc3339 == expected)
        #expect(read.notAfter?.rfc3339 == expected)
        #expect(read.unreadable.isEmpty)
    }

    @Test(
        arguments: [
            (0x17, ""), (0x17, "250101000000"), (0x17, "251301000000Z"), (0x17, "250230000000Z"),
            (0x17, "2501010000000Z"),
            (0x17, "20250101000000Z"), (0x18, "250101000000Z"), (0x18, "20250101000000.Z"), (0x18, "20250101000000Zx"),
            (0x17, "25010100000\0Z"), (0x17, "250101000000+01"), (0x17, "250101000000+2401"), (0x0C, "250101000000Z"),
            (0x18, "99991231235959-0100"), (0x18, "00000101000000Z"), (0x17, "+50101000000Z"),
        ] as [(UInt8, String)])
    func `a time that is none costs itself and leaves the other`(tag: UInt8, text: String) {
        let read = CertificateReader.read(
            TestTemplate.odd { $0.notBefore = TestDER.tlv(tag, Array(text.utf8)) }.certificate)
        #expect(read.notBefore == nil)
        #expect(read.notAfter == TestPKI.leafEnd)
        #expect(read.unreadable.map(\.field) == ["not_before"])
        #expect(read.spki != nil)
    }
}
