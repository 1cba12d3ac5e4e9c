import PinwatchCore
import Testing

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let written = Instant(unixSeconds: 784_111_777)

    @Test(
        "Seconds are read, and cut off at a day",
        arguments: [
            ("0", 0), ("1", 1), ("120", 120), (" 120\t", 120), ("86400", 86_400), ("86401", 86_400),
            ("99999999999999999999999999", 86_400),
        ] as [(String, Int64)])
    func seconds(header: String, expected: Int64) {
        #expect(RetryAfter(header, now: Self.written)?.seconds == expected)
    }

    @Test(
        "All three forms of an HTTP date are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func dates(header: String) {
        #expect(Instant(httpDate: header, now: Self.written) == Self.written)
        #expect(RetryAfter(header, now: Self.written - 90)?.seconds == 90)
        #expect(RetryAfter(header, now: Self.written + 90)?.seconds == 0)
        #expect(RetryAfter(header, now: Self.written - 200_000)?.seconds == 86_400)
    }

    @Test(
        "What is neither asks for nothing",
        arguments: [
            "", " ", "-1", "+5", "1.5", "5s", "soon", "0x10", "٣", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Now 1994 08:49:37 GMT", "06 Nov 1994",
        ])
    func malformed(header: String) {
        #expect(RetryAfter(header, now: Self.written) == nil)
    }

    @Test func `A year of two digits is never more than fifty years ahead`() {
        let now = Instant(unixSeconds: 1_796_040_000)  // 2026
        let near = Instant(year: 2_027, month: 1, day: 2)
        let past = Instant(year: 1_994, month: 1, day: 2)
        #expect(Instant(httpDate: "Saturday, 02-Jan-27 00:00:00 GMT", now: now) == near)
        #expect(Instant(httpDate: "Sunday, 02-Jan-94 00:00:00 GMT", now: now) == past)
    }
}
