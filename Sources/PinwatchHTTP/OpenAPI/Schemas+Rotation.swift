internal import PinwatchCore

extension Schema {
    static let targetVerdict = object(
        [("target_id", id), ("target", text.described("The target's label."))] + verdictRecord)

    private static func few(_ item: Schema) -> Schema {
        object([("items", list(of: item).described("At most \(CoverageRecord.limit).")), ("total", count)])
    }

    static let coverage = object([
        ("unpinned", few(object([("target_id", id), ("label", text)])).described("Targets that no release pins.")),
        (
            "unscanned",
            few(
                object([
                    ("host", text.described("As the policies write it, wildcards included.")),
                    ("pin_sets", list(of: object([("id", id), ("label", text)]))),
                ])
            ).described("Hosts that release builds pin and no target stands for.")
        ),
    ])

    static let matrix = object([
        (
            "columns",
            list(
                of: object([
                    ("key_family", word(KeyFamily.self).orNull), ("chain", list(of: digest)), ("spki", pin.orNull),
                    ("addresses", list(of: address)), ("not_after", time.orNull),
                ])
            ).described("One for each chain that is served.")
        ),
        (
            "rows",
            list(
                of: object(
                    pinSetIdentity + [
                        ("stack", text), ("share", fraction.orNull), ("clients", list(of: word(Client.self))),
                        ("runs_out", named(.upcoming).orNull),
                        ("cells", list(of: object(layeredVerdict)).described("In the order of the columns.")),
                    ]))
        ),
    ])

    static let preflight = object([
        ("host", text),
        (
            "go",
            flag.orNull.described(
                "False where a release build is cut off; null where one cannot be told, or the host is a third party's."
            )
        ),
        ("sentence", text.described("The answer.")),
        (
            "candidate",
            object([
                ("kind", word(["chain", "certificate", "request", "public_key"])), ("subject", text.orNull),
                ("spki", pin.orNull), ("sha256", digest.orNull), ("not_before", time.orNull),
                ("not_after", time.orNull), ("certificates", count),
            ])
        ),
        ("assumed", list(of: text).described("What the answer rests on beside the candidate.")),
        (
            "users",
            list(
                of: object([
                    ("app", text), ("os", word(Platform.System.self).orNull), ("rejected", fraction.orNull),
                    ("unknown", fraction.orNull), ("sentence", text),
                ]))
        ),
        ("items", list(of: preflightRow)),
    ])

    /// What `check` prints of one layer; `by` where it is unpinned.
    private static let checked: [(String, Schema)] = [
        ("verdict", word(VerdictKind.self)), ("code", text), ("reason", text), ("matched", named(.pinMatch).orNull),
    ]
    private static let checkedBy: [(String, Schema)] = [
        ("by", word([UnpinnedBy.design.rawValue, UnpinnedBy.trap.rawValue]))
    ]

    private static let preflightRow = object(
        [
            ("pin_set_id", id.orNull), ("app", text), ("release", text), ("variant", word(Variant.self)),
            ("stack", text), ("share", fraction.orNull), ("os", word(Platform.System.self).orNull),
            ("client", word(Client.self).orNull), ("host", text),
        ] + checked + [
            ("notes", list(of: text)),
            (
                "paths",
                list(
                    of: object([
                        ("anchor", object([("subject", text.orNull), ("sha256", digest)])),
                        ("verdict", word(VerdictKind.self)),
                    ]))
            ), ("now", word(VerdictKind.self).orNull.described("What it makes of what is served now.")),
        ],
        optional: checkedBy + [
            ("layers", list(of: object([("client", word(Client.self))] + checked, optional: checkedBy)))
        ])
}
