internal import PinwatchCore

/// Reads the times of certificates: both forms anywhere, also as issuers wrote them before RFC 5280 forbade it — with
/// offsets, without seconds, with fractions of seconds (which are dropped).
enum CertificateTime {
    /// - Throws: for other tags, text that is no time, a time without a zone, and impossible dates.
    static func instant(_ element: DERElement) throws(DERFault) -> Instant {
        let isShort = element.tag == DERTag.utcTime
        guard isShort || element.tag == DERTag.generalizedTime else {
            throw .unexpectedTag(element.tag, wanted: DERTag.utcTime)
        }
        let shown = EscapedText.plain(element.content.prefix(40))
        var text = TimeText(rest: element.content)
        guard var year = text.number(digits: isShort ? 2 : 4), let month = text.number(digits: 2),
            let day = text.number(digits: 2), let hour = text.number(digits: 2)
        else { throw .malformedTime(shown) }
        if isShort { year += year < 50 ? 2000 : 1900 }
        let minute = text.number(digits: 2)
        let second = minute == nil ? nil : text.number(digits: 2)
        guard minute != nil || !isShort else { throw .malformedTime(shown) }
        guard text.skipFraction() else { throw .malformedTime(shown) }
        guard !text.rest.isEmpty else { throw .timeWithoutZone(shown) }
        guard let offset = text.offset(),
            let local = Instant(
                year: year, month: month, day: day, hour: hour, minute: minute ?? 0, second: second ?? 0)
        else { throw .malformedTime(shown) }
        return local - offset
    }
}

private struct TimeText {
    var rest: ArraySlice<UInt8>

    mutating func number(digits: Int) -> Int64? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// False for a point without digits after it.
    mutating func skipFraction() -> Bool {
        guard rest.first == 0x2E || rest.first == 0x2C else { return true }
        let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(1 + digits.count)
        return !digits.isEmpty
    }

    /// Seconds east of UTC; `nil` if anything but `Z` or `±hhmm` ends the text.
    mutating func offset() -> Int64? {
        let sign = rest.first
        rest = rest.dropFirst()
        if sign == 0x5A { return rest.isEmpty ? 0 : nil }
        guard sign == 0x2B || sign == 0x2D, let hours = number(digits: 2), let minutes = number(digits: 2),
            rest.isEmpty, hours <= 23, minutes <= 59
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == 0x2B ? 1 : -1)
    }
}
