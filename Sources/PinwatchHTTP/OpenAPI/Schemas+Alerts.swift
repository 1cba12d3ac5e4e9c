internal import PinwatchCore

extension Schema {
    static let finding = object([
        ("key", text), ("kind", word(FindingKind.self)), ("stage", word(Stage.self).orNull),
        ("scope", object([("affected", count), ("of", count)]).orNull), ("severity", word(Severity.self)),
        ("target_id", id.orNull), ("pin_set_id", id.orNull), ("subject", text), ("summary", text),
        ("next_step", text), ("evidence", facts), ("since", time), ("stale", flag),
        ("affected_share", fraction.orNull),
    ])

    /// Members depend on what is told.
    private static let facts = map(of: anything).described("Facts behind the summary; which ones depends on the kind.")

    private static let alertMembers: [(String, Schema)] = [
        ("id", id), ("finding_key", text), ("kind", word(FindingKind.self)), ("state", word(AlertState.self)),
        ("severity", word(Severity.self)), ("opened_at", time),
        ("acknowledged", object([("by", text), ("at", time), ("note", text.orNull)]).orNull),
        (
            "silenced_by",
            text.orNull.described(
                "The id of the silence that covers it, or `vantage.suspect` while that finding explains it.")
        ),
        ("resolved_at", time.orNull), ("subjects", list(of: text)), ("subject_count", count), ("reminders", count),
    ]

    static let alert = object(alertMembers)
    static let alertRecord = object(
        alertMembers + [("finding", named(.finding).described("As it is, or as it last was."))])

    static let silenceMatchers = object([
        ("targets", list(of: id)), ("host", text.orNull), ("labels", labels),
        ("kind", list(of: word(FindingKind.self))), ("severity", list(of: word(Severity.self))),
    ])

    static let silence = object([
        ("id", id), ("matchers", named(.silenceMatchers)), ("starts_at", time), ("ends_at", time.orNull),
        (
            "weekly",
            object([
                ("weekdays", list(of: word(Silence.Weekly.Weekday.self), 1...7)), ("from", clock), ("to", clock),
                ("zone", text),
            ]).orNull
        ),
        ("comment", text), ("created_by", text), ("created_at", time),
        ("state", word(SilenceRecord.State.self)), ("managed_by", managedBy), ("revision", revision),
        ("alerts", count.described("Alerts that it silences now.")),
    ])

    private static let clock = Kind.clock.schema

    static let silencePreview = object([
        ("alerts", list(of: named(.alertRecord)).described("Open alerts that it would silence, at most 50.")),
        ("alert_count", count),
        ("targets", list(of: object([("id", id), ("label", text)])).described("That it covers, at most 50.")),
        ("target_count", count),
    ])

    static let event = object([
        ("id", id.orNull.described("The stream's cursor; null in messages.")), ("kind", word(EventKind.self)),
        ("at", time), ("target_id", id.orNull), ("subject", text), ("class", word(KeyChangeClass.self).orNull),
        ("quiet", flag.described("Kept for the record, told to nobody unasked.")), ("summary", text),
        ("evidence", facts),
    ])
}
