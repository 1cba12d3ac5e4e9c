internal import PinwatchCore

extension Alert {
    /// Columns in the order that ``init(row:at:)`` reads.
    static let columns = """
        alert.id, alert.finding_key, alert.kind, alert.state, alert.severity, alert.opened_at, alert.acknowledged_by, \
        alert.acknowledged_at, alert.acknowledged_note, alert.silenced_by, alert.resolved_at, alert.reminders, \
        alert.told, alert.at_silence
        """
    static let columnCount = 14

    init(row: Row, at column: Int) throws(StoreError) {
        var acknowledged: Acknowledgement?
        if let by = try row.textOrNil(column + 6), let at = try row.instantOrNil(column + 7) {
            acknowledged = Acknowledgement(by: by, at: at, note: try row.textOrNil(column + 8))
        }
        guard let told = JSON(stored: try row.text(column + 12))?.texts else {
            throw row.wrong(column + 12, "a JSON list of texts")
        }
        var atSilence: Finding?
        if let stored = try row.textOrNil(column + 13) { atSilence = try Finding(stored: StoredObject(stored)) }
        self.init(
            id: AlertID(try row.integer(column)), findingKey: try row.text(column + 1), kind: try row.word(column + 2),
            state: try row.word(column + 3), severity: try row.word(column + 4), openedAt: try row.instant(column + 5),
            acknowledged: acknowledged, silencedBy: try row.textOrNil(column + 9),
            resolvedAt: try row.instantOrNil(column + 10), reminders: try row.whole(column + 11), told: told,
            atSilence: atSilence)
    }

    /// The columns' values, `id` apart.
    var values: Values {
        [
            ("finding_key", .text(findingKey)), ("kind", .text(kind.rawValue)), ("state", .text(state.rawValue)),
            ("severity", .text(severity.rawValue)), ("opened_at", .at(openedAt)),
            ("acknowledged_by", .optional(acknowledged?.by)), ("acknowledged_at", .optional(acknowledged?.at)),
            ("acknowledged_note", .optional(acknowledged?.note)), ("silenced_by", .optional(silencedBy)),
            ("resolved_at", .optional(resolvedAt)), ("reminders", .integer(Int64(reminders))),
            ("told", .text(JSON.strings(told).text)), ("at_silence", .optional(atSilence?.stored.text)),
        ]
    }

    /// The alert as it was when an outbox item was written, but for what only the next reconciliation asks; its number
    /// is the item's own column.
    var stored: JSON {
        .object([
            ("finding_key", .string(findingKey)), ("kind", .string(kind.rawValue)), ("state", .string(state.rawValue)),
            ("severity", .string(severity.rawValue)), ("opened_at", .stored(openedAt)),
            (
                "acknowledged",
                acknowledged.map {
                    .object([("by", .string($0.by)), ("at", .stored($0.at)), ("note", .text($0.note))])
                } ?? .null
            ),
            ("silenced_by", .text(silencedBy)), ("resolved_at", .stored(resolvedAt)),
            ("reminders", .integer(Int64(reminders))), ("told", .strings(told)),
        ])
    }

    init(stored: StoredObject, id: AlertID) throws(StoreError) {
        var acknowledged: Acknowledgement?
        if let object = try stored.objectOrNil("acknowledged") {
            acknowledged = Acknowledgement(
                by: try object.text("by"), at: try object.instant("at"), note: try object.textOrNil("note"))
        }
        self.init(
            id: id, findingKey: try stored.text("finding_key"), kind: try stored.word("kind"),
            state: try stored.word("state"), severity: try stored.word("severity"),
            openedAt: try stored.instant("opened_at"), acknowledged: acknowledged,
            silencedBy: try stored.textOrNil("silenced_by"), resolvedAt: try stored.instantOrNil("resolved_at"),
            reminders: Int(try stored.integer("reminders")), told: try stored.texts("told"))
    }
}
