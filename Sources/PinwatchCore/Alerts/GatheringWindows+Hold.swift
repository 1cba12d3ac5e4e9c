extension GatheringWindows {
    /// How long a channel gathers after the first message of a group has left.
    static let seconds: Int64 = 10

    /// Without the windows that have ended.
    func current(at now: Instant) -> GatheringWindows { GatheringWindows(ends: ends.filter { $0.value > now }) }

    /// When an item may leave: at once if it is the first of its group, else when the group's window ends; never
    /// before an earlier change of the same kind of alert that may still be waiting.
    ///
    /// A critical alert opens a group of its own, so that lesser ones of its kind cannot hold up the first.
    mutating func hold(_ item: OutboxItem, now: Instant) -> Instant {
        let key = Key(channel: item.channel, group: item.gatheringGroup)
        let own = ends[key].flatMap { $0 > now ? $0 : nil }
        if own == nil { ends[key] = now + Self.seconds }
        let earlier = item.groupsBefore.compactMap { ends[Key(channel: item.channel, group: $0)] }
        return ([own ?? now] + earlier).max() ?? now
    }
}

extension OutboxItem {
    private static func group(_ change: AlertChangeKind, _ kind: FindingKind, _ severity: Severity) -> String {
        change.rawValue + " " + kind.rawValue + (severity == .critical ? " critical" : "")
    }

    fileprivate var gatheringGroup: String {
        switch subject {
        case .alert(let change, let alert, _): Self.group(change, alert.kind, alert.severity)
        case .event: groupKey
        }
    }

    /// The groups in which the alert's opening, and changes of it, may be waiting.
    fileprivate var groupsBefore: [String] {
        guard case .alert(let change, let alert, _) = subject, change != .opened else { return [] }
        return AlertChangeKind.allCases.filter { $0 != change && $0 != .resolved }.flatMap { other in
            [Severity.warning, .critical].map { Self.group(other, alert.kind, $0) }
        }
    }
}
