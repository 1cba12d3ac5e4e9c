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
package enum AlertBook {
    /// - Parameters:
    ///   - found: All findings of one scope that should be open now.
    ///   - open: The scope's stored open findings.
    ///   - targets: Looks up a target for routes' labels and messages' subjects.
    ///   - windows: Read and moved on: the first message of a group leaves at once, the rest of a burst at the window's end.
    package static func reconcile(
        found: [Finding], open: [OpenFinding], policy: EvaluationPolicy, targets: (TargetID) -> Target?,
        windows: inout GatheringWindows, now: Instant
    ) -> BookChanges {
        BookChanges(changes: [], outbox: [])
    }

    /// What channels are owed of events, by the routes that name their kinds; quiet events are told to nobody.
    package static func outbox(
        for events: [Event], policy: EvaluationPolicy, targets: (TargetID) -> Target?,
        windows: inout GatheringWindows, now: Instant
    ) -> [OutboxItem] {
        []
    }
}
