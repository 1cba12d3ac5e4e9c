import Foundation
import PinwatchCore
import Testing

/// The machine's zones, by Foundation.
struct TestZones: TimeZones {
    func offset(of zone: String, at instant: Instant) -> Int64? {
        guard let zone = TimeZone(identifier: zone) else { return nil }
        return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.unixSeconds))))
    }
}

struct SilenceTimeTests {
    typealias Weekday = Silence.Weekly.Weekday

    private static func time(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private static func weekly(
        _ weekdays: Set<Weekday>, _ from: Int, _ to: Int, zone: String = "Europe/Berlin", starts: Int64 = 0,
        ends: Instant? = nil
    ) -> Silence {
        Silence(
            matchers: Silence.Matchers(host: "api.example.com"), startsAt: Instant(unixSeconds: starts), endsAt: ends,
            weekly: Silence.Weekly(weekdays: weekdays, fromMinute: from, toMinute: to, zone: zone), comment: "")
    }

    @Test func `a silence of once begins with its start and is over with its end`() {
        let start = Instant(unixSeconds: 1_800_000_000)
        let silence = Silence(
            matchers: Silence.Matchers(host: "a.example"), startsAt: start, endsAt: start + 60, comment: "")
        let zones = TestZones()
        let answers = [-1, 0, 59, 60].map { silence.isActive(at: start + $0, in: zones) }
        #expect(answers == [false, true, true, false])
        #expect([-1, 0, 60].map { silence.state(at: start + $0, in: zones) } == [.pending, .active, .ended])
        let changes = [-1, 0, 59, 60].map { silence.nextChange(after: start + $0, in: zones) }
        #expect(changes == [start, start + 60, start + 60, nil])
    }

    /// A window in Berlin, as clocks there show it, and the one of some date as UTC has it.
    struct Window: Sendable {
        let weekday: Weekday
        let from: String
        let to: String
        let begins: String
        let ends: String

        init(_ weekday: Weekday, _ from: String, _ to: String, _ begins: String, _ ends: String) {
            self.weekday = weekday
            self.from = from
            self.to = to
            self.begins = begins
            self.ends = ends
        }

        static func minute(_ text: String) -> Int {
            let parts = text.split(separator: ":").compactMap { Int($0) }
            return parts[0] * 60 + parts[1]
        }
    }

    static let windows: [Window] = [
        // 2026-06-01 is a Monday; Berlin is two hours ahead in summer, one in winter.
        Window(.mon, "22:00", "23:00", "2026-06-01T20:00:00Z", "2026-06-01T21:00:00Z"),
        Window(.mon, "22:00", "02:00", "2026-06-01T20:00:00Z", "2026-06-02T00:00:00Z"),
        Window(.mon, "00:00", "00:00", "2026-05-31T22:00:00Z", "2026-06-01T22:00:00Z"),
        Window(.sun, "23:59", "00:01", "2026-06-07T21:59:00Z", "2026-06-07T22:01:00Z"),
        Window(.mon, "22:00", "23:00", "2026-01-05T21:00:00Z", "2026-01-05T22:00:00Z"),
        // 2026-03-29, clocks go from 02:00 to 03:00 at 01:00Z: the night is an hour shorter.
        Window(.sat, "22:00", "04:00", "2026-03-28T21:00:00Z", "2026-03-29T02:00:00Z"),
        Window(.sun, "02:30", "04:00", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"),
        Window(.sun, "01:00", "02:30", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"),
        // 2026-10-25, clocks go from 03:00 to 02:00 at 01:00Z: what is shown twice is covered twice.
        Window(.sat, "22:00", "04:00", "2026-10-24T20:00:00Z", "2026-10-25T03:00:00Z"),
        Window(.sun, "02:15", "02:45", "2026-10-25T00:15:00Z", "2026-10-25T01:45:00Z"),
    ]

    @Test("windows by civil time: before the first second, at it, before the end, at it", arguments: windows)
    func window(window: Window) throws {
        let silence = Self.weekly([window.weekday], Window.minute(window.from), Window.minute(window.to))
        let (begins, ends) = (window.begins, window.ends)
        let (begin, end, zones) = (try Self.time(begins), try Self.time(ends), TestZones())
        let around = [begin - 1, begin, end - 1, end].map { silence.isActive(at: $0, in: zones) }
        #expect(around == [false, true, true, false])
        #expect(silence.nextChange(after: begin - 1, in: zones) == begin)
        #expect(silence.nextChange(after: begin, in: zones) == end)
        let next = try #require(silence.nextChange(after: end, in: zones))
        #expect(next > end && next <= end + 8 * 86_400)
    }

    @Test func `a window wholly in the hour that clocks leave out is not there that day`() throws {
        let silence = Self.weekly([.sun], 2 * 60 + 10, 2 * 60 + 50)
        let day = try Self.time("2026-03-29T00:00:00Z")
        let active = (0..<96).filter { silence.isActive(at: day + Int64($0) * 900, in: TestZones()) }
        #expect(active.isEmpty)
        #expect(silence.nextChange(after: day, in: TestZones()) == (try Self.time("2026-04-05T00:10:00Z")))
    }

    @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"])
    func `asked for its next change again and again, a silence misses none through a year`(zone: String) throws {
        let silence = Self.weekly([.mon, .wed, .sun], 23 * 60 + 30, 2 * 60 + 15, zone: zone)
        let zones = TestZones()
        var now = try Self.time("2026-01-01T00:00:00Z")
        let end = now + 366 * 86_400
        var (changes, active) = (0, silence.isActive(at: now, in: zones))
        while let next = silence.nextChange(after: now, in: zones), next < end {
            #expect(next > now)
            // Between two changes it stays as it was.
            #expect(silence.isActive(at: next - 1, in: zones) == active)
            now = next
            if silence.isActive(at: now, in: zones) != active {
                active.toggle()
                changes += 1
            }
        }
        #expect((310...316).contains(changes))
    }

    @Test func `a weekly one keeps to its own start and end`() throws {
        let end = try Self.time("2026-06-08T20:30:00Z")
        let start = try Self.time("2026-06-01T20:30:00Z")
        let silence = Self.weekly([.mon], 22 * 60, 23 * 60, starts: start.unixSeconds, ends: end)
        let zones = TestZones()
        #expect(
            [start - 1, start, end - 1, end].map { silence.isActive(at: $0, in: zones) } == [false, true, true, false])
        #expect(silence.nextChange(after: start - 86_400, in: zones) == start)
        #expect(silence.nextChange(after: end - 600, in: zones) == end)
        #expect(silence.nextChange(after: end, in: zones) == nil)
    }

    @Test func `a zone that is not known silences nothing`() {
        let silence = Self.weekly(Set(Weekday.allCases), 0, 0, zone: "Mars/Olympus")
        #expect(silence.isActive(at: Instant(unixSeconds: 1_800_000_000), in: TestZones()) == false)
        #expect(silence.nextChange(after: Instant(unixSeconds: 1_800_000_000), in: TestZones()) == nil)
    }
}
