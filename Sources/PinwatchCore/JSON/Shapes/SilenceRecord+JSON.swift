extension SilenceRecord {
    /// The contract's `silence`.
    package var json: JSON {
        .object([
            ("id", .string(id.text)), ("matchers", silence.matchers.json), ("starts_at", .time(silence.startsAt)),
            ("ends_at", .time(silence.endsAt)), ("weekly", silence.weekly?.json ?? .null),
            ("comment", .string(silence.comment)), ("created_by", .string(createdBy)),
            ("created_at", .time(createdAt)), ("state", .string(state.rawValue)),
            ("managed_by", .string(managedBy.rawValue)), ("revision", .integer(revision)),
            ("alerts", .integer(Int64(alerts))),
        ])
    }
}

extension Silence.Matchers {
    /// All matchers, those that are not set empty.
    package var json: JSON {
        .object([
            ("targets", .strings(targets.sorted().map(\.text))), ("host", .text(host)), ("labels", labels.json),
            ("kind", kinds.json), ("severity", severities.json),
        ])
    }
}

extension Silence.Weekly {
    /// `{weekdays, from, to, zone}`, times as `22:00`.
    package var json: JSON {
        .object([
            ("weekdays", weekdays.json), ("from", .string(Self.clock(fromMinute))),
            ("to", .string(Self.clock(toMinute))), ("zone", .string(zone)),
        ])
    }

    private static func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }
}

extension SilencePreview {
    /// `{alerts, alert_count, targets, target_count}`.
    package var json: JSON {
        .object([
            ("alerts", .array(alerts.map(\.json))), ("alert_count", .integer(Int64(alertCount))),
            (
                "targets",
                .array(targets.map { .object([("id", .string($0.id.text)), ("label", .string($0.label))]) })
            ),
            ("target_count", .integer(Int64(targetCount))),
        ])
    }
}
