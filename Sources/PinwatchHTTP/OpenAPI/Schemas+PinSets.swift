internal import PinwatchCore

extension Schema {
    static let understood: [(String, Schema)] = [
        ("app", text), ("release", text), ("variant", word(Variant.self)), ("stack", text),
        ("share", fraction.orNull.described("Part of the app's users on its platform.")),
        ("clients", list(of: word(Client.self))),
        ("trust_store", text.orNull.described("Null takes the target's.")), ("managed_by", managedBy),
        ("origin", text.described("Where its text came from.")),
        ("hosts", list(of: named(.pinnedHost)).described("Of one in a list the first 20.")),
        ("host_count", count.described("How many hosts it has in all.")),
    ]

    static let pinnedHost = object([
        ("pattern", text), ("match", text.described("Which certificates are compared, in the client's word.")),
        ("pins", list(of: text).described("In a list of pin sets the first 10.")), ("pin_count", count),
        ("expires", time.orNull),
    ])

    private static let stored: [(String, Schema)] =
        [("id", id)] + understood + [
            ("revision", revision), ("created_at", time), ("updated_at", time),
            ("target_count", count.described("Targets whose hosts it names.")),
            (
                "verdicts",
                object(["accept", "reject", "unknown", "other"].map { ($0, count) })
                    .described("Over targets and their addresses.")
            ),
        ]

    static let problems = list(of: object([("client", word(Client.self)), ("code", text), ("reason", text)]))
        .described("Why a client would not load it.")

    static let pinSet = object(stored)
    static let pinSetDetail = object(
        stored + [
            ("source", text),
            (
                "targets",
                list(
                    of: object([
                        ("id", id), ("label", text), ("verdict", word(VerdictKind.self)), ("code", text),
                        ("reason", text), ("addresses", count),
                    ])
                ).described("Worst verdict first, at most 200.")
            ),
            ("problems", problems), ("lint", list(of: named(.lintProblem)).orNull),
            ("has_originals", flag.described("Whether the files that it was read from can be shown.")),
        ])

    static let pinSetPreview = object(understood + [("source", text), ("problems", problems)])

    static let lintProblem = object([
        ("rule", word(LintRule.self)), ("severity", word(LintSeverity.self)), ("client", word(Client.self).orNull),
        ("host", text.orNull.described("As its file writes it.")), ("file", text), ("line", integer(1...).orNull),
        ("column", integer(1...).orNull), ("message", text), ("advice", text.described("What to write instead.")),
    ])

    static let lintReport = object([
        ("items", list(of: named(.lintProblem))), ("errors", count), ("warnings", count), ("notes", count),
    ])
}
