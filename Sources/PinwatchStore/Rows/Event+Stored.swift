internal import PinwatchCore

extension Event {
    /// Columns in the order that ``init(row:at:)`` reads.
    static let columns = "kind, at, target_id, subject, class, quiet, summary, evidence"

    init(row: Row, at column: Int) throws(StoreError) {
        guard let evidence = JSON(stored: try row.text(column + 7)) else { throw row.wrong(column + 7, "JSON") }
        self.init(
            kind: try row.word(column), at: try row.instant(column + 1),
            targetID: try row.integerOrNil(column + 2).map { TargetID($0) }, subject: try row.text(column + 3),
            keyChange: try row.wordOrNil(column + 4), quiet: try row.flag(column + 5),
            summary: try row.text(column + 6), evidence: evidence)
    }

    var values: Values {
        [
            ("kind", .text(kind.rawValue)), ("at", .at(at)), ("target_id", .optional(targetID?.rawValue)),
            ("subject", .text(subject)), ("class", .optional(keyChange?.rawValue)), ("quiet", .flag(quiet)),
            ("summary", .text(summary)), ("evidence", .text(evidence.text)),
        ]
    }

    /// The event as an outbox item holds it.
    var stored: JSON {
        .object([
            ("kind", .string(kind.rawValue)), ("at", .stored(at)), ("target", .stored(targetID?.rawValue)),
            ("subject", .string(subject)), ("class", .text(keyChange?.rawValue)), ("quiet", .bool(quiet)),
            ("summary", .string(summary)), ("evidence", evidence),
        ])
    }

    init(stored: StoredObject) throws(StoreError) {
        self.init(
            kind: try stored.word("kind"), at: try stored.instant("at"),
            targetID: try stored.integerOrNil("target").map { TargetID($0) }, subject: try stored.text("subject"),
            keyChange: try stored.wordOrNil("class"), quiet: try stored.flag("quiet"),
            summary: try stored.text("summary"), evidence: stored.json("evidence"))
    }
}
