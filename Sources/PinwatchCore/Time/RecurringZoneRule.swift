/// What a zone does year after year: a TZ string of POSIX, such as `CET-1CEST,M3.5.0,M10.5.0/3`, with the extensions of
/// RFC 9636 section 3.3.1 (times of day from -167 to 167 hours).
struct RecurringZoneRule: Sendable, Hashable {
    /// One of the two days on which the clocks are set.
    private struct Change: Hashable {
        enum Day: Hashable {
            /// 1 to 365; February 29 is never counted.
            case julian(Int64)
            /// 0 to 365; February 29 is counted.
            case zeroBased(Int64)
            /// The week-th (5 is the last) such weekday of a month; 0 is Sunday.
            case weekday(month: Int64, week: Int64, day: Int64)
        }
        let day: Day
        /// Seconds after the day's midnight, by the clock that is about to be set.
        let time: Int64
    }

    private struct Daylight: Hashable {
        let offset: Int64
        let start: Change
        let end: Change
    }

    private let standard: Int64
    private let daylight: Daylight?

    /// `nil` for what is no such string. One with daylight saving time must say when it is.
    init?(posix text: some Collection<UInt8>) {
        var reader = TZReader(rest: Array(text)[...])
        guard reader.skipName(), let west = reader.duration(hours: 24) else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            daylight = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = standard + 3_600
        if !reader.isNext(",") {
            guard let west = reader.duration(hours: 24) else { return nil }
            offset = -west
        }
        guard reader.take(","), let start = Self.change(&reader), reader.take(","), let end = Self.change(&reader),
            reader.isAtEnd
        else { return nil }
        daylight = Daylight(offset: offset, start: start, end: end)
    }

    /// Seconds east of UTC.
    func offset(at instant: Instant) -> Int64 {
        guard let daylight else { return standard }
        // What lies beyond year 9999 is told by its last.
        let time = min(max(instant.unixSeconds, -62_000_000_000), 253_000_000_000)
        let year = CivilTime(unixSeconds: time + standard).year
        var latest: (at: Int64, isStart: Bool)?
        for year in year - 1...year + 1 {
            let start = (Self.seconds(daylight.start, year) - standard, true)
            let end = (Self.seconds(daylight.end, year) - daylight.offset, false)
            // Where one year's end falls on the next one's start, it is daylight saving time all the year.
            for change in [end, start] where change.0 <= time && change.0 >= latest?.at ?? .min { latest = change }
        }
        return latest?.isStart ?? false ? daylight.offset : standard
    }

    private static func change(_ reader: inout TZReader) -> Change? {
        guard let day = day(&reader) else { return nil }
        guard reader.take("/") else { return Change(day: day, time: 2 * 3_600) }
        return reader.duration(hours: 167).map { Change(day: day, time: $0) }
    }

    private static func day(_ reader: inout TZReader) -> Change.Day? {
        if reader.take("J") { return reader.number(in: 1...365).map { .julian($0) } }
        guard reader.take("M") else { return reader.number(in: 0...365).map { .zeroBased($0) } }
        guard let month = reader.number(in: 1...12), reader.take("."), let week = reader.number(in: 1...5),
            reader.take("."), let day = reader.number(in: 0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }

    /// Seconds since 1970 by the wall's own clock.
    private static func seconds(_ change: Change, _ year: Int64) -> Int64 {
        days(change.day, year) * 86_400 + change.time
    }

    private static func days(_ day: Change.Day, _ year: Int64) -> Int64 {
        let newYear = CivilTime.days(year: year, month: 1, day: 1)
        switch day {
        case .zeroBased(let number): return newYear + number
        case .julian(let number):
            let isLeap = CivilTime.days(year: year, month: 3, day: 1) - newYear == 60
            return newYear + number - (isLeap && number >= 60 ? 0 : 1)
        case .weekday(let month, let week, let weekday):
            let first = CivilTime.days(year: year, month: month, day: 1)
            let next =
                month == 12
                ? CivilTime.days(year: year + 1, month: 1, day: 1)
                : CivilTime.days(year: year, month: month + 1, day: 1)
            // Day 0 was a Thursday, which is 4.
            let delay = (weekday - (first + 4) % 7 + 7) % 7
            let found = first + delay + (week - 1) * 7
            return found < next ? found : found - 7
        }
    }
}

private struct TZReader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Three letters or more, or anything of letters, digits and signs in `<` and `>`.
    mutating func skipName() -> Bool {
        let isQuoted = take("<")
        let name = rest.prefix { byte in
            let isLetter = (0x41...0x5A).contains(byte & 0xDF)
            return isLetter || isQuoted && ((0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D)
        }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 && (!isQuoted || take(">"))
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func duration(hours: Int64) -> Int64? {
        let sign: Int64 = take("-") ? -1 : 1
        if sign == 1 { _ = take("+") }
        guard let hour = number(in: 0...hours) else { return nil }
        var seconds = hour * 3_600
        for unit in [60, 1] as [Int64] where take(":") {
            guard let part = number(in: 0...59) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    mutating func number(in range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return range.contains(value) ? value : nil
    }
}
