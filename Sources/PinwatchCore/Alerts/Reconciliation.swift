/// One reconciliation while it goes through a scope's findings.
struct Reconciliation {
    let routing: Routing
    /// Those that findings name.
    let targets: [TargetID: Target]
    private(set) var windows: GatheringWindows
    let now: Instant
    private(set) var result = BookChanges(changes: [], outbox: [])

    init(routing: Routing, targets: [TargetID: Target], windows: GatheringWindows, now: Instant) {
        self.routing = routing
        self.targets = targets
        self.windows = windows
        self.now = now
    }

    /// A finding that was not open.
    mutating func open(_ finding: Finding) {
        result.changes.append(.open(finding, alert(opening: finding)))
    }

    /// A finding that was open already, perhaps with other values.
    mutating func keep(_ found: Finding, as known: OpenFinding) {
        var finding = found
        finding.since = known.finding.since
        guard let alert = known.alert else {
            if let opened = alert(opening: finding) {
                result.changes.append(.update(finding, opened, told: .opened))
            } else if finding != known.finding {
                result.changes.append(.update(finding, nil, told: nil))
            }
            return
        }
        guard finding != known.finding else { return }
        var changed = alert
        changed.severity = finding.severity
        let change = AlertChangeKind(from: known.finding, to: finding)
        if change == .escalated, alert.state == .acknowledged {
            changed.state = .open
            changed.acknowledged = nil
        }
        if let change { tell(change, &changed, finding, severities: [known.finding.severity, finding.severity]) }
        result.changes.append(.update(finding, changed, told: change))
    }

    /// A finding that no longer holds.
    mutating func resolve(_ known: OpenFinding) {
        guard var alert = known.alert else {
            result.changes.append(.resolve(known.finding, nil))
            return
        }
        let wasSilenced = alert.state == .silenced
        alert.state = .resolved
        alert.resolvedAt = now
        if !wasSilenced { tell(.resolved, &alert, known.finding, severities: [known.finding.severity]) }
        result.changes.append(.resolve(known.finding, alert))
    }

    private mutating func alert(opening finding: Finding) -> Alert? {
        guard routing.wants(finding, labels: labels(finding)) else { return nil }
        var alert = Alert(
            id: AlertID(0), findingKey: finding.key, kind: finding.kind, state: .open, severity: finding.severity,
            openedAt: now)
        tell(.opened, &alert, finding, severities: [finding.severity])
        return alert
    }

    /// Owes a change to the channels that want it at one of these severities, and to those that heard of the alert.
    private mutating func tell(
        _ change: AlertChangeKind, _ alert: inout Alert, _ finding: Finding, severities: Set<Severity>
    ) {
        guard alert.state != .silenced else { return }
        let wanted = routing.channels(for: finding, at: severities, labels: labels(finding))
        let channels = routing.known(Set(wanted).union(alert.told), for: finding)
        alert.told = Set(alert.told).union(channels).sorted()
        for channel in channels {
            var item = OutboxItem(
                channel: channel, subject: .alert(change, alert, finding),
                target: finding.targetID.flatMap { targets[$0] },
                holdUntil: now, at: now)
            item.holdUntil = windows.hold(item, now: now)
            result.outbox.append(item)
        }
    }

    private func labels(_ finding: Finding) -> [String: String] {
        finding.targetID.flatMap { targets[$0] }?.settings.labels ?? [:]
    }
}

extension AlertChangeKind {
    /// What a change of an open finding is to those who were told of it; `nil` if it is only in the facts behind it.
    fileprivate init?(from old: Finding, to new: Finding) {
        let steps = [
            Self.step(old.severity, new.severity), Self.step(old.stage, new.stage), Self.step(old.scope, new.scope),
        ]
        if steps.contains(.escalated) {
            self = .escalated
        } else if steps.contains(.updated) {
            self = .updated
        } else {
            return nil
        }
    }

    private static func step<Value: Comparable>(_ old: Value, _ new: Value) -> AlertChangeKind? {
        old == new ? nil : old < new ? .escalated : .updated
    }

    private static func step(_ old: Stage?, _ new: Stage?) -> AlertChangeKind? {
        guard let old else { return new == nil ? nil : .escalated }
        guard let new else { return .updated }
        return step(old, new)
    }

    /// The whole of a target stays the whole when addresses come and go, and a part is not another part because the
    /// rest has changed.
    private static func step(_ old: Scope?, _ new: Scope?) -> AlertChangeKind? {
        guard let old, let new else { return nil }
        if old.affected == old.of, new.affected == new.of { return nil }
        return step(old.affected, new.affected)
    }
}
