internal import PinwatchCore

extension Severity {
    /// Ascending is worst first, the order of lists.
    var storedRank: Int64 {
        switch self {
        case .critical: 0
        case .warning: 1
        case .info: 2
        }
    }
}

extension Finding {
    /// The whole finding as one text: what `finding.body`, `alert.finding` and outbox items hold.
    var stored: JSON {
        .object([
            ("key", .string(key)), ("kind", .string(kind.rawValue)), ("stage", .text(stage?.rawValue)),
            ("affected", .whole(scope?.affected)), ("of", .whole(scope?.of)),
            ("severity", .string(severity.rawValue)), ("target", .stored(targetID?.rawValue)),
            ("pin_set", .stored(pinSetID?.rawValue)), ("subject", .string(subject)), ("summary", .string(summary)),
            ("next_step", .string(nextStep)), ("evidence", evidence), ("since", .stored(since)),
            ("stale", .bool(stale)), ("share", affectedShare.map { .number($0) } ?? .null),
        ])
    }

    init(stored: StoredObject) throws(StoreError) {
        var scope: Scope?
        if let affected = try stored.integerOrNil("affected"), let of = try stored.integerOrNil("of") {
            scope = Scope(affected: Int(affected), of: Int(of))
        }
        self.init(
            key: try stored.text("key"), kind: try stored.word("kind"), stage: try stored.wordOrNil("stage"),
            scope: scope, severity: try stored.word("severity"),
            targetID: try stored.integerOrNil("target").map { TargetID($0) },
            pinSetID: try stored.integerOrNil("pin_set").map { PinSetID($0) }, subject: try stored.text("subject"),
            summary: try stored.text("summary"), nextStep: try stored.text("next_step"),
            evidence: stored.json("evidence"), since: try stored.instant("since"), stale: try stored.flag("stale"),
            affectedShare: try stored.realOrNil("share"))
    }
}
