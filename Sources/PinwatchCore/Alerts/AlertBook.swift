/// A stored open finding with its alert, if it has one.
package struct OpenFinding: Sendable, Hashable {
    package var finding: Finding
    package var alert: Alert?
    package init(finding: Finding, alert: Alert?) {
        self.finding = finding
        self.alert = alert
    }
}

/// What reconciliation changes, in the order in which it must be written and told.
package struct BookChanges: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        /// A finding that was not open. With an alert to open (its `id` 0 until stored) unless no route wants it.
        case open(Finding, Alert?)
        /// An open finding whose values differ; `told` says whether channels hear of it. The alert carries its new state;
        /// its `id` is 0 if it opens only now, because the finding has come to matter.
        case update(Finding, Alert?, told: AlertChangeKind?)
        /// A finding that no longer holds, as it last was, and its alert, now resolved.
        case resolve(Finding, Alert?)
    }

    package var changes: [Change]
    /// Owed to channels; `subject` alerts of `.open` carry id 0, which the store replaces by the number it gave.
    package var outbox: [OutboxItem]

    package init(changes: [Change], outbox: [OutboxItem]) {
        self.changes = changes
        self.outbox = outbox
    }
}

/// Until when each channel gathers messages of one group key, so that a burst arrives as one.
package struct GatheringWindows: Sendable, Hashable {
    /// By channel and ``OutboxItem/groupKey``: the end of the window that the last message opened.
    package var ends: [Key: Instant]

    package struct Key: Sendable, Hashable {
        package let channel: String
        package let group: String
        package init(channel: String, group: String) {
            self.channel = channel
            self.group = group
        }
    }

    package init(ends: [Key: Instant] = [:]) {
        self.ends = ends
    }
}

/// Reconciles the findings that should be open with those that are.
///
/// A pure function of both: what it answers, once written, makes the next answer empty.
package enum AlertBook {
    /// An alert opens for every finding of warning or critical severity, and for an `info` one that a route asks for by
    /// severity or kind. Bad news comes first in the answer, ends last.
    ///
    /// - Parameters:
    ///   - found: All findings of one scope that should be open now.
    ///   - open: The scope's stored open findings.
    ///   - targets: Looks up a target for routes' labels and messages' subjects.
    ///   - about: The scope's targets, which a finding without one of its own concerns, as silences see it.
    ///   - suspects: Targets on an authority under suspicion, and since when: what is found of them from then on is held
    ///     back as by a silence, if ``Vantage/explains(_:)``.
    ///   - windows: Read and moved on: the first message of a group leaves at once, the rest of a burst at the window's end.
    package static func reconcile(
        found: [Finding], open: [OpenFinding], policy: EvaluationPolicy, targets: (TargetID) -> Target?,
        about: [Target] = [], suspects: [TargetID: Instant] = [:], windows: inout GatheringWindows, now: Instant
    ) -> BookChanges {
        let concerned = Set((found + open.map(\.finding)).compactMap(\.targetID))
        var reconciliation = Reconciliation(
            routing: Routing(policy), silences: policy.activeSilences(at: now),
            targets: concerned.reduce(into: [:]) { $0[$1] = targets($1) }, about: about, suspects: suspects,
            windows: windows.current(at: now), now: now)
        let stored = Dictionary(open.map { ($0.finding.key, $0) }) { first, _ in first }
        var seen: Set<String> = []
        for finding in found.sorted(by: isWorse) where seen.insert(finding.key).inserted {
            if let known = stored[finding.key] {
                reconciliation.keep(finding, as: known)
            } else {
                reconciliation.open(finding)
            }
        }
        for known in open where !seen.contains(known.finding.key) { reconciliation.resolve(known) }
        windows = reconciliation.windows
        return reconciliation.result
    }

    /// Somebody takes an open alert on, or says something else of it; told to the channels that have heard of the alert.
    ///
    /// An acknowledgement ends when the alert escalates. In a silence nothing is told of it.
    package static func acknowledge(
        _ known: OpenFinding, _ acknowledgement: Alert.Acknowledgement, policy: EvaluationPolicy,
        targets: (TargetID) -> Target?, windows: inout GatheringWindows, now: Instant
    ) -> BookChanges {
        var concerned: [TargetID: Target] = [:]
        if let id = known.finding.targetID { concerned[id] = targets(id) }
        var reconciliation = Reconciliation(
            routing: Routing(policy), silences: [], targets: concerned, about: [], windows: windows.current(at: now),
            now: now)
        reconciliation.acknowledge(known, acknowledgement)
        windows = reconciliation.windows
        return reconciliation.result
    }

    /// Nobody has it in hand any longer; told to nobody, since all have heard of the alert.
    package static func unacknowledge(_ known: OpenFinding) -> BookChanges {
        guard var alert = known.alert else { return BookChanges(changes: [], outbox: []) }
        alert.acknowledged = nil
        if alert.state == .acknowledged { alert.state = .open }
        return BookChanges(changes: [.update(known.finding, alert, told: nil)], outbox: [])
    }

    /// Worst first, then by key, so that equal findings give equal books.
    private static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
        left.severity == right.severity ? left.key < right.key : left.severity > right.severity
    }

    /// What channels are owed of events, by the routes that name their kinds; quiet events are told to nobody.
    package static func outbox(
        for events: [Event], policy: EvaluationPolicy, targets: (TargetID) -> Target?,
        windows: inout GatheringWindows, now: Instant
    ) -> [OutboxItem] {
        let routing = Routing(policy)
        var items: [OutboxItem] = []
        windows = windows.current(at: now)
        for event in events where !event.quiet {
            let target = event.targetID.flatMap(targets)
            for channel in routing.channels(for: event.kind, labels: target?.settings.labels ?? [:]) {
                var item = OutboxItem(
                    channel: channel, subject: .event(event), target: target, holdUntil: now, at: now)
                item.holdUntil = windows.hold(item, now: now)
                items.append(item)
            }
        }
        return items
    }
}
