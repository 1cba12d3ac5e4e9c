/// What a `Retry-After` header asks for (RFC 9110 section 10.2.3).
package struct RetryAfter: Hashable, Sendable {
    /// Seconds from the answer's arrival, 0 to ``longestSeconds``.
    package let seconds: Int64

    /// The longest wait that is honoured; what asks for more waits this long.
    package static let longestSeconds: Int64 = 86_400

    /// Reads delta-seconds or an HTTP date; `nil` for anything else. A date in the past asks for no wait.
    package init?(_ header: some StringProtocol, now: Instant) {
        let text = header.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        let wanted: Int64
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than an Int64 holds still mean "long".
            wanted = Int64(text) ?? .max
        } else if let date = Instant(httpDate: text, now: now) {
            wanted = date.seconds(since: now)
        } else {
            return nil
        }
        seconds = min(max(wanted, 0), Self.longestSeconds)
    }
}

extension Instant {
    /// Reads the three forms of RFC 9110 section 5.6.7, which a recipient must all accept: `Sun, 06 Nov 1994 08:49:37
    /// GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The day's name is not compared.
    ///
    /// - Parameter now: A year of two digits that would lie more than 50 years after it is the century before.
    package init?(httpDate text: String, now: Instant) {
        let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
        let fields: (day: Substring, month: Substring, year: Substring, time: Substring)
        switch parts.count {
        case 6 where parts[5] == "GMT": fields = (parts[1], parts[2], parts[3], parts[4])
        case 5: fields = (parts[2], parts[1], parts[4], parts[3])
        default: return nil
        }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = fields.time.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = months.firstIndex(where: { $0 == fields.month }), clock.count == 3,
            let day = Self.digits(fields.day), let written = Self.digits(fields.year),
            let hour = Self.digits(clock[0]), let minute = Self.digits(clock[1]), let second = Self.digits(clock[2])
        else { return nil }
        func instant(_ year: Int64) -> Instant? {
            Instant(year: year, month: Int64(month + 1), day: day, hour: hour, minute: minute, second: second)
        }
        guard fields.year.utf8.count == 2 else {
            guard let instant = instant(written) else { return nil }
            self = instant
            return
        }
        guard let late = instant(2_000 + written) else { return nil }
        guard late.seconds(since: now) > 50 * 31_556_952 else {
            self = late
            return
        }
        guard let early = instant(1_900 + written) else { return nil }
        self = early
    }

    private static func digits(_ text: Substring) -> Int64? {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int64(text) : nil
    }
}
