/// A day that ends at midnight of the device's own time zone.
struct AndroidDate: Sendable, Hashable {
    /// As written.
    let text: String
    /// Midnight UTC at the day's start.
    let utc: Instant

    /// Reads as `SimpleDateFormat("yyyy-MM-dd")` does when it is not lenient: blanks before a number and anything after
    /// the day are put up with, a day that does not exist is not. `nil` where it throws.
    init?(_ text: String) {
        var rest = text.utf8[...]
        var parts: [Int64] = []
        for index in 0..<3 {
            if index > 0 { guard rest.popFirst() == UInt8(ascii: "-") else { return nil } }
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count), let number = Int64(String(decoding: digits, as: UTF8.self)) else {
                return nil
            }
            parts.append(number)
            rest = rest.dropFirst(digits.count)
        }
        guard parts[0] > 0, let utc = Instant(year: min(parts[0], 9_999), month: parts[1], day: parts[2]) else {
            return nil
        }
        self.text = text
        self.utc = utc
    }

    /// `2026-12-24`, without what the text has beside it.
    var day: String { Wording.day(utc) }

    /// The last instant before the day begins anywhere: zones reach UTC+14.
    var lastEverywhere: Instant { utc - 14 * 3_600 }
    /// The last instant before the day has begun everywhere: zones reach UTC-12.
    var lastAnywhere: Instant { utc + 12 * 3_600 }
}

/// Which of the two ways of the clock a device may be on.
enum AndroidExpiry {
    case holds, over
    /// Over in some time zones.
    case dependsOnZone

    init(_ date: AndroidDate?, at now: Instant) {
        guard let date, now > date.lastEverywhere else {
            self = .holds
            return
        }
        self = now > date.lastAnywhere ? .over : .dependsOnZone
    }

    /// What an entry's end makes of the verdict that its pins would give.
    ///
    /// - Parameter entry: As messages name it.
    static func verdict(_ held: Verdict, of entry: String, ending date: AndroidDate?, at now: Instant) -> Verdict {
        guard let date else { return held }
        let over = Verdict(
            .unpinned, by: .trap, code: "expired",
            reason: "the pins for \(entry) ended at the start of \(date.text), so nothing is pinned")
        switch AndroidExpiry(date, at: now) {
        case .holds: return held
        case .over: return over
        case .dependsOnZone: return inBothZones(date, held: held, over: over)
        }
    }

    /// One verdict for all zones where they agree in kind, else `unknown`.
    private static func inBothZones(_ date: AndroidDate, held: Verdict, over: Verdict) -> Verdict {
        guard held.kind != over.kind else { return held }
        return Verdict(
            .unknown, code: "expiry_zone_dependent",
            reason: "the pins end at midnight of \(date.text) in the device's own time zone, which has passed in some: "
                + "before it \(held.kind.rawValue) (\(held.reason)), after it \(over.kind.rawValue)",
            notes: held.notes, paths: held.paths)
    }
}
