/// Phrases that findings and events share.
enum Wording {
    /// `on its only address`, `on all 8 addresses`, `on 3 of 8 addresses`.
    ///
    /// - Parameter someAreSilent: Whether there are more that do not count, since they answer nothing.
    static func addresses(_ affected: Int, of total: Int, someAreSilent: Bool = false) -> String {
        guard affected >= total else { return "on \(affected) of \(total) addresses" }
        if someAreSilent {
            return total <= 1 ? "on the only address that answers" : "on all \(total) addresses that answer"
        }
        return total <= 1 ? "on its only address" : "on all \(total) addresses"
    }

    /// `1 pin`, `2 pins`.
    static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

    /// The day in UTC, `2026-12-24`. Summaries name days, never the time left, so that they stand still.
    static func day(_ instant: Instant) -> String {
        instant.rfc3339.map { String($0.prefix(10)) } ?? "a day beyond the year 9999"
    }

    /// The day on which pins end, as their file names it.
    static func day(_ end: PinExpiry) -> String { end.localDay ?? day(end.at) }

    /// The same where there is room to say whose midnight it is.
    static func ending(_ end: PinExpiry) -> String {
        day(end) + (end.localDay == nil ? "" : ", at midnight of the device's own zone")
    }

    /// The text without its last full stop, cut where a certificate's names would make it endless.
    static func clause(_ text: String) -> String {
        let cut = text.count > 300 ? text.prefix(299) + "…" : text[...]
        return cut.hasSuffix(".") ? String(cut.dropLast()) : String(cut)
    }

    /// The text as a sentence of its own.
    static func sentence(_ text: String) -> String { clause(text).capitalizedFirst + "." }
}

extension KeyFamily? {
    /// The part of a finding's key.
    var word: String { self?.rawValue ?? "unknown" }
}

extension JSON {
    /// At most 50 items; evidence is for reading.
    static func few(_ items: some Sequence<JSON>) -> JSON { .array(Array(items.prefix(50))) }
    static func addresses(_ addresses: some Sequence<IPAddress>) -> JSON {
        few(addresses.map { .string($0.description) })
    }
}
