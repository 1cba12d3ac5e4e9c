/// The store's number for an alert; its decimal text is the API's opaque id.
package struct AlertID: Hashable, Sendable, Comparable {
    package let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    package static func < (left: AlertID, right: AlertID) -> Bool { left.rawValue < right.rawValue }
    package var text: String { String(rawValue) }
}

package enum AlertState: String, Sendable, CaseIterable {
    case open, acknowledged, silenced, resolved
}

/// A finding that someone is told of. One is open per finding key at most.
package struct Alert: Sendable, Hashable {
    package struct Acknowledgement: Sendable, Hashable {
        package let by: String
        package let at: Instant
        package let note: String?
        package init(by: String, at: Instant, note: String?) {
            self.by = by
            self.at = at
            self.note = note
        }
    }

    package var id: AlertID
    package var findingKey: String
    package var kind: FindingKind
    package var state: AlertState
    /// The finding's present severity, or its last.
    package var severity: Severity
    package var openedAt: Instant
    package var acknowledged: Acknowledgement?
    /// The silence's number, while one is active that covers it; `vantage.suspect` while that finding explains this one.
    package var silencedBy: String?
    package var resolvedAt: Instant?
    package var reminders: Int
    /// Channels that have heard of it, in order of name, and so are owed its end whatever its severity is by then.
    package var told: [String]
    /// The finding as it was when the silence began: what those who were told have last heard.
    package var atSilence: Finding?

    package init(
        id: AlertID, findingKey: String, kind: FindingKind, state: AlertState, severity: Severity, openedAt: Instant,
        acknowledged: Acknowledgement? = nil, silencedBy: String? = nil, resolvedAt: Instant? = nil,
        reminders: Int = 0, told: [String] = [], atSilence: Finding? = nil
    ) {
        self.id = id
        self.findingKey = findingKey
        self.kind = kind
        self.state = state
        self.severity = severity
        self.openedAt = openedAt
        self.acknowledged = acknowledged
        self.silencedBy = silencedBy
        self.resolvedAt = resolvedAt
        self.reminders = reminders
        self.told = told
        self.atSilence = atSilence
    }
}

/// What a message says of an alert: the contract's `alert.…` types.
package enum AlertChangeKind: String, Sendable, CaseIterable {
    case opened = "alert.opened"
    case escalated = "alert.escalated"
    case updated = "alert.updated"
    /// Somebody has taken it on; told to those who heard of it.
    case acknowledged = "alert.acknowledged"
    case resolved = "alert.resolved"
}
