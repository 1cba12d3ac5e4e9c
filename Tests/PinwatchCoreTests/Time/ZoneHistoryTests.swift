import PinwatchCore
import Testing

/// TZif files (RFC 9636) of version 2, made byte by byte.
private struct ZoneFile {
    var transitions: [(at: Int64, type: UInt8)] = []
    var offsets: [Int32] = [0]
    var leapSeconds = 0
    var footer = ""
    var version = UInt8(ascii: "2")

    var bytes: [UInt8] {
        var bytes = header(times: 0, types: 1, leaps: 0)
        bytes += [UInt8](repeating: 0, count: 6 + 4)
        bytes += header(times: transitions.count, types: offsets.count, leaps: leapSeconds)
        for transition in transitions { bytes += big(UInt64(bitPattern: transition.at), size: 8) }
        for transition in transitions { bytes.append(transition.type) }
        for offset in offsets { bytes += big(UInt64(UInt32(bitPattern: offset)), size: 4) + [0, 0] }
        bytes += Array("UTC\0".utf8)
        bytes += [UInt8](repeating: 0, count: leapSeconds * 12)
        bytes += Array("\n\(footer)\n".utf8)
        return bytes
    }

    private func header(times: Int, types: Int, leaps: Int) -> [UInt8] {
        var header = Array("TZif".utf8)
        header.append(version)
        header += [UInt8](repeating: 0, count: 15)
        for count in [0, 0, leaps, times, types, 4] { header += big(UInt64(count), size: 4) }
        return header
    }

    private func big(_ number: UInt64, size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - $0))) }
    }

    func offset(_ instant: Instant) -> Int64? { ZoneHistory(tzif: bytes)?.offset(at: instant) }
}

private func at(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

@Suite struct ZoneHistoryTests {
    @Test
    func `Each transition holds until the next, the first type before all, and the last one without a rule after all`()
    {
        let file = ZoneFile(transitions: [(-100, 1), (0, 2), (100, 1)], offsets: [60, 3_600, -7_200])
        let expected: [(Int64, Int64)] = [
            (.min, 60), (-101, 60), (-100, 3_600), (-1, 3_600), (0, -7_200), (99, -7_200), (100, 3_600), (.max, 3_600),
        ]
        for (seconds, offset) in expected { #expect(file.offset(Instant(unixSeconds: seconds)) == offset) }
    }

    @Test(
        "A rule tells of the time after the last transition",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T00:59:59Z", 3_600),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T01:00:00Z", 7_200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T00:59:59Z", 7_200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T01:00:00Z", 3_600),
            ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T06:59:59Z", -18_000),
            ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T07:00:00Z", -14_400),
            ("EST5EDT,M3.2.0,M11.1.0", "2050-11-06T06:00:00Z", -18_000),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-04-02T14:59:59Z", 39_600),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-04-02T15:00:00Z", 37_800),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-10-01T15:30:00Z", 39_600),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2051-01-01T00:00:00Z", 39_600),
            ("IST-5:30", "2050-07-01T00:00:00Z", 19_800), ("UTC0", "2050-07-01T00:00:00Z", 0),
            // Daylight saving time all the year, as RFC 9636 section 3.3.1 writes it.
            ("XXX3EDT4,0/0,J365/23", "2051-01-01T04:00:00Z", -14_400),
            ("XXX3EDT4,0/0,J365/23", "2050-12-31T23:59:59Z", -14_400),
            // Ireland's winter is the exception, and Gaza's times lie beyond the day.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-01-01T00:00:00Z", 0),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-07-01T00:00:00Z", 3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T01:00:00Z", -3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T00:59:59Z", -7_200),
            ("AAA0BBB,J60/0,J300/0", "2052-03-01T00:00:00Z", 3_600),
            ("AAA0BBB,J60/0,J300/0", "2052-02-29T23:59:59Z", 0),
            ("AAA0BBB,59/0,300/0", "2052-02-29T00:00:00Z", 3_600),
        ] as [(String, String, Int64)])
    func rule(_ rule: String, _ instant: String, _ offset: Int64) throws {
        #expect(ZoneFile(footer: rule).offset(try at(instant)) == offset)
    }

    @Test(
        "A rule that is none makes the file none",
        arguments: [
            "CET", "CET-1CEST", "CE-1", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J300", "CET-1CEST,366,J300", "CET-1CEST,M3.5.0,M10.5.0/168",
            "CET-25", "CET-1:60", "CET-1CEST,M3.5.0,M10.5.0 ", "<CET-1", "<>-1", "CET--1", "\n",
            "CET-99999999999999999999",
        ])
    func badRule(_ rule: String) { #expect(ZoneHistory(tzif: ZoneFile(footer: rule).bytes) == nil) }

    @Test func `A file that contradicts itself is none`() {
        #expect(ZoneHistory(tzif: ZoneFile(transitions: [(0, 1)]).bytes) == nil)
        #expect(ZoneHistory(tzif: ZoneFile(transitions: [(5, 0), (5, 0)]).bytes) == nil)
        #expect(ZoneHistory(tzif: ZoneFile(offsets: [90_000 * 2]).bytes) == nil)
        #expect(ZoneHistory(tzif: ZoneFile(offsets: []).bytes) == nil)
        #expect(ZoneHistory(tzif: ZoneFile(leapSeconds: 1).bytes) == nil)
        #expect(ZoneHistory(tzif: ZoneFile(version: 0).bytes) == nil)
        #expect(ZoneHistory(tzif: ZoneFile().bytes + [UInt8](repeating: 0x0A, count: 1 << 16)) == nil)
    }

    @Test func `No part of a file is one, and no changed byte traps`() {
        let bytes = ZoneFile(transitions: [(-100, 0), (100, 0)], footer: "CET-1CEST,M3.5.0,M10.5.0/3").bytes
        #expect(ZoneHistory(tzif: bytes) != nil)
        for count in bytes.indices { #expect(ZoneHistory(tzif: Array(bytes.prefix(count))) == nil) }
        for index in bytes.indices {
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                guard let history = ZoneHistory(tzif: changed) else { continue }
                for seconds in [.min, -62_135_596_800, 0, 253_402_300_799, .max] as [Int64] {
                    #expect((-90_000...93_600).contains(history.offset(at: Instant(unixSeconds: seconds))))
                }
            }
        }
    }
}
