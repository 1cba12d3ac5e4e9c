extension GatheringWindows {
    /// How long a channel gathers after the first message of a group has left.
    static let seconds: Int64 = 10

    /// Without the windows that have ended.
    func current(at now: Instant) -> GatheringWindows { GatheringWindows(ends: ends.filter { $0.value > now }) }

    /// When an item may leave: at once if it is the first of its group, else when the group's window ends. That it leaves
    /// after an older item of its alert is the outbox's part.
    ///
    /// A critical alert opens a group of its own, so that lesser ones of its kind cannot hold up the first.
    mutating func hold(_ item: OutboxItem, now: Instant) -> Instant {
        let key = Key(channel: item.channel, group: item.gatheringGroup)
        if let end = ends[key], end > now { return end }
        ends[key] = now + Self.seconds
        return now
    }
}

extension OutboxItem {
    fileprivate var gatheringGroup: String {
        switch subject {
        case .alert(let change, let alert, _):
            change.rawValue + " " + alert.kind.rawValue + (alert.severity == .critical ? " critical" : "")
        case .event: groupKey
        }
    }
}
