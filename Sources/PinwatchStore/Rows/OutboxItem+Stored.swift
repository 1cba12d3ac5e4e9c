internal import PinwatchCore

extension OutboxItem {
    /// Columns in the order that ``init(row:)`` reads.
    static let columns = "outbox.id, outbox.channel, outbox.alert_id, outbox.hold_until_at, outbox.at, outbox.body"

    init(row: Row) throws(StoreError) {
        let body = try StoredObject(try row.text(5))
        let subject: Subject
        if let event = try body.objectOrNil("event") {
            subject = .event(try Event(stored: event))
        } else {
            let id = AlertID(try row.integer(2))
            subject = .alert(
                try body.word("change"), try Alert(stored: try body.object("alert"), id: id),
                try Finding(stored: try body.object("finding")))
        }
        var target: Target?
        if let stored = try body.objectOrNil("target") { target = try Target(stored: stored) }
        self.init(
            id: try row.integer(0), channel: try row.text(1), subject: subject, target: target,
            holdUntil: try row.instant(3), at: try row.instant(4))
    }

    /// - Parameter alertID: The number that the store gave the alert, if the subject is one.
    func values(alertID: AlertID?) -> Values {
        let body: JSON =
            switch subject {
            case .alert(let change, let alert, let finding):
                .object([
                    ("change", .string(change.rawValue)), ("alert", alert.stored), ("finding", finding.stored),
                    ("target", target?.stored ?? .null),
                ])
            case .event(let event): .object([("event", event.stored), ("target", target?.stored ?? .null)])
            }
        return [
            ("channel", .text(channel)), ("alert_id", .optional(alertID?.rawValue)),
            ("hold_until_at", .at(holdUntil)), ("at", .at(at)), ("body", .text(body.text)),
        ]
    }
}
