/// When each target is due: a queue ordered by time, with first scans spread over the period.
package struct Schedule: Sendable {
    package init() {}

    /// Adds or replaces a target. `lastScanAt` decides its next time; a target never scanned is due within the first
    /// tenth of its period, at a place given by its id, so that a start is not a burst.
    package mutating func set(_ target: Target, periodSeconds: Int64, lastScanAt: Instant?, now: Instant) {}

    package mutating func remove(_ id: TargetID) {}

    /// Takes the targets that are due, earliest first, at most `limit`; each is next due one period after it was due,
    /// or from now if it has fallen behind by more than one.
    package mutating func takeDue(now: Instant, limit: Int) -> [Target] { [] }

    /// When the next target is due; `nil` if there is none.
    package var nextDue: Instant? { nil }

    package var count: Int { 0 }
}
