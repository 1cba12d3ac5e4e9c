import PinwatchCore
import Testing

struct HostMatchTests {
    @Test(arguments: [
        ("a.test", "a.test", true), ("A.Test", "a.test", true), ("a.test", "b.test", false),
        ("*.ex.test", "a.ex.test", true), ("*.EX.test", "a.ex.test", true), ("*.ex.test", "ex.test", false),
        ("*.ex.test", "a.b.ex.test", false), ("*.ex.test", ".ex.test", false), ("*", "localhost", false),
        ("*.test", "a.test", false), ("f*.ex.test", "foo.ex.test", false), ("a.*.test", "a.b.test", false),
        ("*.*.test", "a.b.test", false), ("**.ex.test", "a.ex.test", false), ("a.test.", "a.test", false),
        ("a.test\\00", "a.test", false), ("https://a.test", "a.test", false), ("", "a.test", false),
        ("xn--bcher-kva.test", "xn--bcher-kva.test", true), ("*.ex.test", "xn--bcher-kva.ex.test", true),
        ("bücher.test", "xn--bcher-kva.test", false), ("_dmarc.ex.test", "_dmarc.ex.test", true),
        ("127.0.0.1", "a.test", false), ("\u{212A}.test", "k.test", false),
    ])
    func `a wildcard is one whole leftmost label, and odd entries match nothing`(
        pattern: String, host: String, matches: Bool
    ) {
        #expect(DNSPattern.matches(pattern, HostName(checked: host)) == matches)
    }

    @Test func `addresses match address entries only, and names name entries only`() throws {
        let zero = try #require(SHA256Digest([UInt8](repeating: 0, count: 32)))
        let loopback = try #require(IPAddress("127.0.0.1"))
        var summary = CertificateSummary(fingerprint: zero)
        summary.subject = "CN=a.test"
        #expect(!ReferenceIdentity.dns(HostName(checked: "a.test")).matches(summary))
        #expect(!ReferenceIdentity.ip(loopback).matches(summary))
        summary.dnsNames = ["127.0.0.1", "a.test"]
        summary.ipAddresses = [try #require(IPAddress("::1"))]
        #expect(ReferenceIdentity.dns(HostName(checked: "a.test")).matches(summary))
        #expect(!ReferenceIdentity.ip(loopback).matches(summary))
        #expect(ReferenceIdentity.ip(try #require(IPAddress("::1"))).matches(summary))
        summary.ipAddresses?.append(loopback)
        #expect(ReferenceIdentity.ip(loopback).matches(summary))
    }
}
