import TestSupport
import Testing

@testable import PinwatchTLS

/// Timestamps are counted wherever in a response their extension stands, and nothing else is.
struct OCSPTimestampsTests {
    private typealias Bytes = MessageBytes
    private static let identifier = TestDER.oid("1.3.6.1.4.1.11129.2.4.5")

    /// The extension within other bytes, as deep in a response.
    private static func response(_ extensionValue: [UInt8], before: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]) -> [UInt8]
    {
        before + identifier + extensionValue + [0x30, 0x00]
    }

    private static func wrapped(_ count: Int) -> [UInt8] {
        TestDER.octets(TestDER.octets(Bytes.timestampList(count)))
    }

    /// Lists whose octet strings have DER lengths of one, two and three bytes.
    @Test(arguments: [(0, 0), (1, 1), (2, 2), (23, 23), (24, 24), (25, 25), (50, 50), (51, 51), (1_000, 1_000)])
    func `every well-formed entry counts`(sent: Int, counted: Int) {
        #expect(OCSPTimestamps.count(Self.response(Self.wrapped(sent))) == counted)
    }

    @Test func `the extension counts wherever it stands`() {
        #expect(OCSPTimestamps.count(Self.response(Self.wrapped(3), before: [])) == 3)
        #expect(
            OCSPTimestamps.count(Self.response(Self.wrapped(3), before: [UInt8](repeating: 0x06, count: 4_000))) == 3)
    }

    @Test(
        "what is malformed counts nothing",
        arguments: [
            [], identifier, Array(identifier.dropLast()), identifier + [0x04], identifier + [0x04, 0x05],
            identifier + [0x04, 0x80, 0x00], identifier + [0x04, 0x81], identifier + [0x04, 0x82, 0x01],
            identifier + [0x04, 0x83, 0x00, 0x00, 0x00], identifier + [0x04, 0xFF],
            // An octet string that holds none, one of another kind, and one that is longer than what holds it.
            identifier + TestDER.octets([]), identifier + TestDER.octets(TestDER.sequence()),
            identifier + TestDER.octets([0x04, 0x09, 0x00]), identifier + TestDER.octets(Bytes.timestampList(1)),
            identifier + TestDER.octets(TestDER.octets([])), identifier + TestDER.octets(TestDER.octets([0])),
            TestDER.oid("1.3.6.1.4.1.11129.2.4.2") + TestDER.octets(TestDER.octets(Bytes.timestampList(1))),
        ])
    func malformed(_ response: [UInt8]) {
        #expect(OCSPTimestamps.count(response) == 0)
    }

    @Test func `a response cut off anywhere counts nothing`() {
        let whole = Self.identifier + Self.wrapped(60)
        for length in whole.indices { #expect(OCSPTimestamps.count(Array(whole.prefix(length))) == 0) }
        #expect(OCSPTimestamps.count(whole) == 60)
    }
}
