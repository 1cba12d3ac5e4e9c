extension SummaryRecord {
    /// The contract's `summary`: the answer in one sentence, then what stands behind it.
    ///
    /// - Parameter load: What the scanner has to do now.
    package func json(now: Instant, load: ScannerLoad) -> JSON {
        let (verdict, sentence) = Overview.sentence(self, now: now)
        return .object([
            ("verdict", .string(verdict.rawValue)), ("sentence", .string(sentence)), ("counts", counts),
            ("broken", .array(broken.map(\.json))), ("runway", .array(runway.map { $0.json(now: now) })),
            ("changes", .array(changes.map(\.json))), ("scans", scans(load)),
        ])
    }

    private var counts: JSON {
        var members: [(String, JSON)] = [
            ("targets", .integer(Int64(targets))), ("addresses", .integer(Int64(addresses))),
        ]
        members += TargetCondition.allCases.map { ($0.rawValue, .integer(Int64(conditions[$0] ?? 0))) }
        return .object(
            members + [
                ("findings", findings.json), ("alerts_open", .integer(Int64(openAlerts))),
                ("pin_sets", .integer(Int64(pinSets))),
            ])
    }

    /// `on_time` is the part of all targets that was scanned within 1.5 of its period, unknown before the first scan.
    private func scans(_ load: ScannerLoad) -> JSON {
        let known = lastScanAt != nil && targets > 0
        return .object([
            ("last_at", .time(lastScanAt)),
            ("on_time", known ? .number(Double(onTime) / Double(targets)) : .null),
            ("failing", .integer(Int64(failing))), ("unscanned", .integer(Int64(unscanned))),
            ("waiting", .integer(Int64(load.waiting))), ("under_way", .integer(Int64(load.open))),
            ("oldest_wait_s", .integer(load.oldestWaitSeconds)),
        ])
    }
}

extension Upcoming {
    /// `{kind, at, days_left, target_id, pin_set_id, subject, summary, share}`; whole days left, negative once it has ended.
    package func json(now: Instant) -> JSON {
        let seconds = endsAt.seconds(since: now)
        let days = seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1
        return .object([
            ("kind", .string(kind.rawValue)), ("at", .time(endsAt)), ("days_left", .integer(days)),
            ("target_id", .text(targetID?.text)), ("pin_set_id", .text(pinSetID?.text)),
            ("subject", .string(subject)), ("summary", .string(summary)),
            ("share", .share(share)),
        ])
    }
}
