import FoundationEssentials

/// A point in time in whole Unix seconds, UTC, as stored in every `…_at` column.
///
/// Years 1 to 9999 have an RFC 3339 text; certificates may name others, which stay comparable but print as `nil`.
package struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    package let unixSeconds: Int64

    package init(unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.unixSeconds < right.unixSeconds
    }

    /// Moves by whole seconds; saturates at the ends of `Int64` rather than trapping on a hostile date.
    package static func + (instant: Instant, seconds: Int64) -> Instant {
        let (sum, overflow) = instant.unixSeconds.addingReportingOverflow(seconds)
        return Instant(unixSeconds: overflow ? (seconds > 0 ? .max : .min) : sum)
    }

    package static func - (instant: Instant, seconds: Int64) -> Instant {
        instant + (seconds == .min ? .max : -seconds)
    }

    /// Seconds from `earlier` to this instant, saturating.
    package func seconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = unixSeconds.subtractingReportingOverflow(earlier.unixSeconds)
        return overflow ? (unixSeconds > earlier.unixSeconds ? .max : .min) : difference
    }
}

extension Instant {
    private static let first = Int64(-62_135_596_800)  // 0001-01-01T00:00:00Z
    private static let last = Int64(253_402_300_799)  // 9999-12-31T23:59:59Z

    /// `2026-11-30T12:00:00Z` (RFC 3339 section 5.6), or `nil` outside years 1 to 9999.
    package var rfc3339: String? {
        guard (Self.first...Self.last).contains(unixSeconds) else { return nil }
        let parts = CivilTime(unixSeconds: unixSeconds)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let year = String(parts.year)
        let date = String(repeating: "0", count: 4 - year.count) + year + "-" + two(parts.month) + "-" + two(parts.day)
        return date + "T" + two(parts.hour) + ":" + two(parts.minute) + ":" + two(parts.second) + "Z"
    }

    /// Reads an RFC 3339 time with its zone (`Z` or an offset), with or without fractional seconds, which are dropped.
    /// `nil` for anything else, a missing zone included.
    package init?(rfc3339 text: String) {
        // The library carries a day that does not exist over into the next month.
        guard Instant(day: String(text.prefix(10))) != nil, text.dropFirst(11).prefix(2) < "24" else { return nil }
        let plain = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? plain.parse(text)) ?? (try? fractional.parse(text)) else { return nil }
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
        guard (Self.first...Self.last).contains(seconds) else { return nil }
        self.init(unixSeconds: seconds)
    }

    /// Midnight UTC at the start of a `yyyy-MM-dd` day; `nil` for anything else, impossible days included.
    package init?(day text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
            let instant = Instant(year: year, month: month, day: day)
        else { return nil }
        self = instant
    }

    /// The given civil time in UTC in the proleptic Gregorian calendar; `nil` where a part is out of range.
    /// A second of 60 counts as the next minute's 0.
    package init?(
        year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = CivilTime.days(year: year, month: month, day: day)
        let back = CivilTime(unixSeconds: days * 86_400)
        guard back.day == day, back.month == month else { return nil }
        self.init(unixSeconds: days * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}

/// The Gregorian calendar by Hinnant's day-count formulas, which are exact for every year and cheap enough for a list.
struct CivilTime {
    let year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64

    init(unixSeconds: Int64) {
        let days = (unixSeconds - ((unixSeconds % 86_400) + 86_400) % 86_400) / 86_400
        let rest = unixSeconds - days * 86_400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    }

    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
