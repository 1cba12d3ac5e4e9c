extension Silence {
    /// Whether nobody is told at an instant. A weekly one whose zone is not known never is in its window.
    package func isActive(at instant: Instant, in zones: any TimeZones) -> Bool {
        guard startsAt <= instant, endsAt.map({ instant < $0 }) ?? true else { return false }
        guard let weekly else { return true }
        return weekly.windows(around: instant, in: zones).contains { $0.contains(instant) }
    }

    package func state(at instant: Instant, in zones: any TimeZones) -> SilenceRecord.State {
        if hasEnded(at: instant) { return .ended }
        return isActive(at: instant, in: zones) ? .active : .pending
    }

    package func hasEnded(at instant: Instant) -> Bool { endsAt.map { $0 <= instant } ?? false }

    /// The first instant after this one at which ``isActive(at:in:)`` may answer otherwise; `nil` for never.
    package func nextChange(after instant: Instant, in zones: any TimeZones) -> Instant? {
        if hasEnded(at: instant) { return nil }
        var changes = [startsAt] + [endsAt].compactMap { $0 }
        if let weekly {
            let from = max(instant, startsAt)
            for window in weekly.windows(around: from, in: zones) {
                changes += [window.lowerBound, window.upperBound].filter { $0 > startsAt }
            }
        }
        return changes.filter { change in change > instant && (endsAt.map { change <= $0 } ?? true) }.min()
    }
}

extension Silence.Weekly {
    /// The windows that begin between two days before an instant and eight days after: the one that holds it, if any
    /// does, and the next.
    func windows(around instant: Instant, in zones: any TimeZones) -> [Range<Instant>] {
        guard let offset = zones.offset(of: zone, at: instant) else { return [] }
        let today = CivilDay(containing: instant + offset)
        return (Int64(-2)...8).compactMap { step in
            let day = CivilDay(number: today.number + step)
            return weekdays.contains(day.weekday) ? window(beginningOn: day, in: zones) : nil
        }
    }

    /// `nil` for a window that lies wholly in an hour that the clocks leave out.
    private func window(beginningOn day: CivilDay, in zones: any TimeZones) -> Range<Instant>? {
        let last = toMinute <= fromMinute ? CivilDay(number: day.number + 1) : day
        guard let from = instant(of: day.second(atMinute: fromMinute), isEnd: false, in: zones),
            let to = instant(of: last.second(atMinute: toMinute), isEnd: true, in: zones), from < to
        else { return nil }
        return from..<to
    }

    /// When the zone's clocks show a civil time. What they show twice counts from its first to its last time; what they
    /// leave out counts as the moment at which they are put on.
    ///
    /// - Parameter civil: Seconds since 1970 as the clocks count them.
    private func instant(of civil: Int64, isEnd: Bool, in zones: any TimeZones) -> Instant? {
        let naive = Instant(unixSeconds: civil)
        guard let before = zones.offset(of: zone, at: naive - 86_400),
            let after = zones.offset(of: zone, at: naive + 86_400)
        else { return nil }
        let shown = [naive - before, naive - after].filter { instant in
            zones.offset(of: zone, at: instant).map { instant + $0 == naive } ?? false
        }
        if let found = isEnd ? shown.max() : shown.min() { return found }
        return transition(from: naive - max(before, after), to: naive - min(before, after), in: zones)
    }

    /// The first instant at which the zone's offset is that of `to`, by halving.
    private func transition(from: Instant, to: Instant, in zones: any TimeZones) -> Instant? {
        guard let new = zones.offset(of: zone, at: to) else { return nil }
        var (low, high) = (from, to)
        while high.seconds(since: low) > 1 {
            let middle = low + high.seconds(since: low) / 2
            if zones.offset(of: zone, at: middle) == new { high = middle } else { low = middle }
        }
        return high
    }
}

/// A day of the calendar in civil time, counted from 1970-01-01.
private struct CivilDay {
    let number: Int64

    init(number: Int64) { self.number = number }

    init(containing civil: Instant) {
        let seconds = civil.unixSeconds
        number = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    }

    /// 1970-01-01 was a Thursday.
    var weekday: Silence.Weekly.Weekday {
        let days: [Silence.Weekly.Weekday] = [.thu, .fri, .sat, .sun, .mon, .tue, .wed]
        return days[Int(((number % 7) + 7) % 7)]
    }

    func second(atMinute minute: Int) -> Int64 { number * 86_400 + Int64(minute) * 60 }
}
