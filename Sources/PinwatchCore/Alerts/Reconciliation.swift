/// One reconciliation while it goes through a scope's findings.
struct Reconciliation {
    let routing: Routing
    /// Those that are active.
    let silences: [EvaluationPolicy.NumberedSilence]
    /// Those that findings name.
    let targets: [TargetID: Target]
    /// The scope's, which a finding without a target of its own concerns.
    let about: [Target]
    /// See ``AlertBook/reconcile(found:open:policy:targets:about:suspects:windows:now:)``.
    let suspects: [TargetID: Instant]
    private(set) var windows: GatheringWindows
    let now: Instant
    private(set) var result = BookChanges(changes: [], outbox: [])

    init(
        routing: Routing, silences: [EvaluationPolicy.NumberedSilence], targets: [TargetID: Target], about: [Target],
        suspects: [TargetID: Instant] = [:], windows: GatheringWindows, now: Instant
    ) {
        self.routing = routing
        self.silences = silences
        self.targets = targets
        self.about = about
        self.suspects = suspects
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
        var changed = alert
        changed.severity = finding.severity
        let silence = silence(over: finding, now: alert.silencedBy)
        changed.silencedBy = silence
        let told: AlertChangeKind?
        switch (alert.state == .silenced, silence != nil) {
        case (false, false): told = change(&changed, from: known.finding, to: finding)
        case (false, true):
            changed.state = .silenced
            changed.atSilence = known.finding
            told = nil
        case (true, true): told = nil
        case (true, false): told = speak(&changed, finding)
        }
        guard finding != known.finding || changed != alert else { return }
        result.changes.append(.update(finding, changed, told: told))
    }

    /// A finding that no longer holds. Where a silence keeps its end from being news, only those hear of it who have
    /// heard of its beginning.
    mutating func resolve(_ known: OpenFinding) {
        guard var alert = known.alert else {
            result.changes.append(.resolve(known.finding, nil))
            return
        }
        let wasSilenced = alert.state == .silenced
        alert.state = .resolved
        alert.resolvedAt = now
        (alert.silencedBy, alert.atSilence) = (nil, nil)
        let wanted = wasSilenced ? [] : wanted(known.finding, at: [known.finding.severity])
        tell(.resolved, &alert, known.finding, to: Set(wanted).union(alert.told))
        result.changes.append(.resolve(known.finding, alert))
    }

    /// Somebody takes the alert on. Told once; not in a silence, which an acknowledgement outlives.
    mutating func acknowledge(_ known: OpenFinding, _ acknowledgement: Alert.Acknowledgement) {
        guard var alert = known.alert else { return }
        let isNews = alert.state == .open
        alert.acknowledged = acknowledgement
        if isNews {
            alert.state = .acknowledged
            tell(.acknowledged, &alert, known.finding, to: Set(alert.told))
        }
        result.changes.append(.update(known.finding, alert, told: isNews ? .acknowledged : nil))
    }

    private mutating func alert(opening finding: Finding) -> Alert? {
        guard routing.wants(finding, labels: labels(finding)) else { return nil }
        var alert = Alert(
            id: AlertID(0), findingKey: finding.key, kind: finding.kind, state: .open, severity: finding.severity,
            openedAt: now)
        if let silence = silence(over: finding, now: nil) {
            (alert.state, alert.silencedBy) = (.silenced, silence)
        } else {
            tell(.opened, &alert, finding, to: Set(wanted(finding, at: [finding.severity])))
        }
        return alert
    }

    /// A change of an alert that is not silenced: told to the channels that want it at either severity, and to those
    /// that heard of the alert.
    private mutating func change(_ alert: inout Alert, from old: Finding, to new: Finding) -> AlertChangeKind? {
        guard let change = AlertChangeKind(from: old, to: new) else { return nil }
        if change == .escalated, alert.state == .acknowledged { alert.reopen() }
        tell(change, &alert, new, to: Set(wanted(new, at: [old.severity, new.severity])).union(alert.told))
        return change
    }

    /// The end of a silence under which the finding stands. Who never heard of the alert hears that it opened; who did
    /// hears only that it has got worse meanwhile.
    private mutating func speak(_ alert: inout Alert, _ finding: Finding) -> AlertChangeKind? {
        let escalated = alert.atSilence.flatMap { AlertChangeKind(from: $0, to: finding) } == .escalated
        if escalated { alert.acknowledged = nil }
        alert.state = alert.acknowledged == nil ? .open : .acknowledged
        alert.atSilence = nil
        let heard = Set(alert.told)
        guard heard.isEmpty || escalated else { return nil }
        if escalated { tell(.escalated, &alert, finding, to: heard) }
        tell(.opened, &alert, finding, to: Set(wanted(finding, at: [finding.severity])).subtracting(heard))
        return heard.isEmpty ? .opened : .escalated
    }

    /// What holds back a finding now: of the silences that cover it the one that did so before, else the one made first;
    /// else a suspicion that explains it.
    private func silence(over finding: Finding, now present: String?) -> String? {
        let suspicion = isExplained(finding) ? FindingKind.vantageSuspect.rawValue : nil
        guard !silences.isEmpty else { return suspicion }
        let concerned = finding.targetID.map { id in [targets[id]].compactMap { $0 } } ?? about
        let covering = silences.filter { $0.silence.matchers.cover(finding, targets: concerned) }.map(\.id.text)
        return covering.first { $0 == present } ?? covering.first ?? suspicion
    }

    /// What was found before the target moved has another cause.
    private func isExplained(_ finding: Finding) -> Bool {
        guard let since = finding.targetID.flatMap({ suspects[$0] }) else { return false }
        return finding.since >= since && Vantage.explains(finding.kind)
    }

    private func wanted(_ finding: Finding, at severities: Set<Severity>) -> [String] {
        routing.channels(for: finding, at: severities, labels: labels(finding))
    }

    /// Owes a change to channels, those of them that exist.
    private mutating func tell(
        _ change: AlertChangeKind, _ alert: inout Alert, _ finding: Finding, to names: Set<String>
    ) {
        let channels = routing.known(names, for: finding)
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

extension Alert {
    /// Nobody has it in hand any longer.
    fileprivate mutating func reopen() {
        (state, acknowledged) = (.open, nil)
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
