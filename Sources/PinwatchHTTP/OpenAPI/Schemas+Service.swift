internal import PinwatchCore

extension Schema {
    /// RFC 9457 problem details.
    static let problem = object(
        [
            ("type", constant("about:blank")), ("title", text.described("The status's own phrase.")),
            ("status", integer(400...599)),
            ("detail", text.described("What was asked, why it is refused, what to do.")),
        ],
        optional: [
            (
                "errors",
                list(of: object([("field", text), ("message", text)])).described(
                    "Each field at fault: a member such as `labels.app` or `[3].host`, a field of the query, or a place "
                        + "in a file as `line:column`.")
            ), ("pin_set_id", id.described("The pin set that stands in the way.")),
        ])

    static let resources = object([
        ("resources", list(of: object([("name", text), ("href", text), ("summary", text)]))), ("openapi", text),
    ])

    static let findingCounts = object([("critical", count), ("warning", count), ("info", count)])

    static let upcoming = object([
        ("kind", word(Upcoming.Kind.self)), ("at", time.orNull),
        ("days_left", integer.described("Whole days; negative once it has ended.")), ("target_id", id.orNull),
        ("pin_set_id", id.orNull), ("subject", text), ("summary", text),
        ("share", fraction.orNull.described("Part of an app's users on its platform; of a release alone.")),
    ])

    static let summary = object([
        ("verdict", word(TargetCondition.self)), ("sentence", text.described("The answer, in one sentence.")),
        (
            "counts",
            object(
                [("targets", count), ("addresses", count)]
                    + TargetCondition.allCases.map { ($0.rawValue, count) }
                    + [("findings", named(.findingCounts)), ("alerts_open", count), ("pin_sets", count)])
        ),
        ("broken", list(of: named(.finding))), ("runway", list(of: named(.upcoming))),
        ("changes", list(of: named(.event))),
        (
            "scans",
            object([
                ("last_at", time.orNull),
                ("on_time", fraction.orNull.described("The part of targets scanned within 1.5 of their periods.")),
                ("failing", count), ("unscanned", count),
                ("waiting", count.described("Scans that are due and have not begun.")), ("under_way", count),
                ("oldest_wait_s", count.described("How long the first that waits has been due.")),
            ])
        ),
    ])

    /// From 0 to 1.
    static let fraction = number.bounded(0, 1)

    static let health = object([("status", constant("ok"))])
    static let readiness = object([
        ("status", word(["ready", "not_ready"])), ("reasons", list(of: text)),
    ])
}
