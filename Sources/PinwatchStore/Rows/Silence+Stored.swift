internal import PinwatchCore

extension Silence {
    /// What a silence covers and when it returns: all but its times, which have columns of their own.
    var stored: JSON {
        .object([
            ("targets", .array(matchers.targets.sorted().map { .integer($0.rawValue) })),
            ("host", .text(matchers.host)),
            ("labels", .object(matchers.labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ("kinds", .strings(matchers.kinds.map(\.rawValue).sorted())),
            ("severities", .strings(matchers.severities.map(\.rawValue).sorted())),
            ("weekly", weekly?.stored ?? .null), ("comment", .string(comment)),
        ])
    }

    init(stored: StoredObject, startsAt: Instant, endsAt: Instant?) throws(StoreError) {
        self.init(
            matchers: Matchers(
                targets: Set(try stored.integers("targets").map { TargetID($0) }), host: try stored.textOrNil("host"),
                labels: try stored.dictionary("labels"), kinds: Set(try stored.words("kinds")),
                severities: Set(try stored.words("severities"))),
            startsAt: startsAt, endsAt: endsAt, weekly: try Weekly(stored: stored.objectOrNil("weekly")),
            comment: try stored.text("comment"))
    }

    /// What can be changed of a silence, by the API's names.
    var fields: [(String, JSON)] {
        [
            ("matchers", .string(label)), ("starts_at", .time(startsAt)), ("ends_at", .time(endsAt)),
            ("weekly", weekly?.stored ?? .null), ("comment", .string(comment)),
        ]
    }

    /// As people know it: what it covers.
    var label: String {
        let labels = matchers.labels.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return
            (matchers.targets.sorted().map { "target \($0.text)" } + [matchers.host].compactMap { $0 } + labels
            + matchers.kinds.map(\.rawValue).sorted() + matchers.severities.map(\.rawValue).sorted())
            .joined(separator: ", ")
    }
}

extension Silence.Weekly {
    var stored: JSON {
        .object([
            ("weekdays", .strings(Weekday.allCases.filter(weekdays.contains).map(\.rawValue))),
            ("from", .integer(Int64(fromMinute))), ("to", .integer(Int64(toMinute))), ("zone", .string(zone)),
        ])
    }

    init?(stored: StoredObject?) throws(StoreError) {
        guard let stored else { return nil }
        self.init(
            weekdays: Set(try stored.words("weekdays")), fromMinute: Int(try stored.integer("from")),
            toMinute: Int(try stored.integer("to")), zone: try stored.text("zone"))
    }
}

extension SilenceRecord {
    static let columns = """
        silence.id, silence.body, silence.starts_at, silence.ends_at, silence.created_by, silence.created_at, \
        silence.managed_by, silence.revision
        """
    static let columnCount = 8

    /// Reads a row of ``columns``.
    ///
    /// - Parameters:
    ///   - now: What its state is told for.
    ///   - alerts: Alerts that it silences.
    init(row: Row, alerts: Int, now: Instant, zones: any TimeZones) throws(StoreError) {
        let silence = try Silence(
            stored: StoredObject(try row.text(1)), startsAt: try row.instant(2), endsAt: try row.instantOrNil(3))
        self.init(
            id: SilenceID(try row.integer(0)), silence: silence, createdBy: try row.text(4),
            createdAt: try row.instant(5), managedBy: try row.word(6), revision: try row.integer(7),
            state: silence.state(at: now, in: zones), alerts: alerts)
    }
}
