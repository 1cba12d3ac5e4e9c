/// One message to one channel: the items that it tells, in the order in which they matter.
package struct AlertMessage: Sendable {
    /// `msg_…`, without dots: the `webhook-id` of every try.
    package let id: String
    /// Worst severity first, then oldest. All of one ``OutboxItem/groupKey``, never empty.
    package let items: [OutboxItem]
    package let links: MessageLinks
    private let unicode: @Sendable (HostName) -> String

    /// The most targets that `subjects` shows; `subject_count` counts all.
    package static let shownSubjects = 50

    /// `nil` for no items.
    ///
    /// - Parameter unicode: A host name as people write it, for `host_unicode`; see ``IDNA``.
    package init?(
        id: String, items: [OutboxItem], links: MessageLinks, unicode: @escaping @Sendable (HostName) -> String
    ) {
        guard !items.isEmpty else { return nil }
        self.id = id
        self.items = items.sorted { left, right in
            if left.subject.severity != right.subject.severity { return left.subject.severity > right.subject.severity }
            return (left.at, left.id) < (right.at, right.id)
        }
        self.links = links
        self.unicode = unicode
    }

    /// The item that the message is about first of all.
    package var lead: OutboxItem { items[0] }
    package var type: String { lead.type }

    /// The leading alert; `nil` for an event.
    package var alertID: AlertID? {
        guard case .alert(_, let alert, _) = lead.subject else { return nil }
        return alert.id
    }

    /// All targets concerned, each once, in the items' order.
    package var targets: [Target] {
        var seen: Set<TargetID> = []
        return items.compactMap(\.target).filter { seen.insert($0.id).inserted }
    }

    /// The contract's envelope. `timestamp` is the time of the change, not of the sending.
    package var json: JSON {
        .object([
            ("id", .string(id)), ("type", .string(type)), ("timestamp", .time(lead.at)), ("data", data),
        ])
    }

    private var data: JSON {
        let targets = targets
        let subjects = JSON.array(
            targets.prefix(Self.shownSubjects).map { target in
                guard case .name(let name) = target.host else {
                    return .object(target.members(unicode: target.host.text))
                }
                return .object(target.members(unicode: unicode(name)))
            })
        switch lead.subject {
        case .event(let event):
            return .object([("event", event.json(id: nil)), ("subjects", subjects), ("links", links.json(lead))])
        case .alert(let change, let alert, let finding):
            let label = lead.target?.identity.label ?? finding.subject
            return .object([
                ("alert", alert.json(subjects: [label])), ("finding", finding.json), ("subjects", subjects),
                ("subject_count", .integer(Int64(targets.count))),
                ("affected_share", finding.affectedShare.map { .number($0) } ?? .null),
                ("next_step", .string(nextStep(change, alert, finding))),
                ("links", links.json(lead)),
                // Beside the contract's members: every alert that a grouped message tells.
                ("alerts", .strings(alertIDs.map(\.text))),
            ])
        }
    }

    /// What a reader should do about one change of an alert, in a sentence or two.
    private func nextStep(_ change: AlertChangeKind, _ alert: Alert, _ finding: Finding) -> String {
        switch change {
        case .opened, .escalated, .updated: return finding.nextStep
        // The finding is told as it last was; what it asked for is no longer to be done.
        case .resolved: return "It is over: nothing is left to do."
        case .acknowledged:
            let who = alert.acknowledged?.by ?? "Somebody"
            let note = alert.acknowledged?.note.map { ": \($0)" } ?? ""
            return "\(who) has taken it on\(note). Nothing is left to do for others unless it gets worse."
        }
    }

    private var alertIDs: [AlertID] {
        items.compactMap { item in
            guard case .alert(_, let alert, _) = item.subject else { return nil }
            return alert.id
        }
    }
}

extension AlertMessage {
    /// Divides one channel's due items into messages, in the order in which the messages should leave.
    ///
    /// Items of one group key share a message, unless that would tell an alert's changes in another order than they
    /// happened, or hide an earlier change of an alert behind a later one. Each event has a message of its own.
    ///
    /// - Parameter items: Of one channel, in the order written.
    package static func groups(_ items: [OutboxItem]) -> [[OutboxItem]] {
        var groups: [[OutboxItem]] = []
        var open: [String: Int] = [:]
        var last: [AlertID: Int] = [:]
        for item in items {
            guard case .alert(_, let alert, _) = item.subject else {
                groups.append([item])
                continue
            }
            if let index = open[item.groupKey], index > last[alert.id] ?? -1 {
                groups[index].append(item)
                last[alert.id] = index
            } else {
                open[item.groupKey] = groups.count
                last[alert.id] = groups.count
                groups.append([item])
            }
        }
        return groups
    }
}

extension OutboxItem.Subject {
    /// How much it matters: the finding's severity as it was; an event matters as information.
    package var severity: Severity {
        switch self {
        case .alert(_, _, let finding): finding.severity
        case .event: .info
        }
    }

    /// What happened, in one or two sentences. Holds text from outside.
    package var summary: String {
        switch self {
        case .alert(_, _, let finding): finding.summary
        case .event(let event): event.summary
        }
    }
}

/// Where a message's reader can go on: pages and API of this installation.
package struct MessageLinks: Sendable, Hashable {
    /// `https://pins.example.com`, without a trailing slash.
    package let base: String

    package init(base: String) {
        self.base = String(base.prefix(base.hasSuffix("/") ? base.count - 1 : base.count))
    }

    /// The alert's page, or for an event its target's, where it has one.
    package func dashboard(_ item: OutboxItem) -> String {
        switch item.subject {
        case .alert(_, let alert, _): base + "/#/alerts/" + alert.id.text
        case .event: base + (item.target.map { "/#/targets/" + $0.id.text } ?? "/")
        }
    }

    /// The alert, or the events that an event stands among.
    package func api(_ item: OutboxItem) -> String {
        switch item.subject {
        case .alert(_, let alert, _): base + "/api/v1/alerts/" + alert.id.text
        case .event: base + "/api/v1/events" + (item.target.map { "?target_id=" + $0.id.text } ?? "")
        }
    }

    func json(_ item: OutboxItem) -> JSON {
        .object([("dashboard", .string(dashboard(item))), ("api", .string(api(item)))])
    }
}
