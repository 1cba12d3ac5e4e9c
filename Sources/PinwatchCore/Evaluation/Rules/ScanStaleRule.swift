/// `scan.stale`: scans that should have come did not, of one target or of all.
enum ScanStaleRule {
    static func findings(_ view: TargetView) -> [Finding] {
        guard let limit = limit(view), view.now > limit else { return [] }
        let last = view.state.lastScanAt
        var finding = view.finding(
            .scanStale, severity: .warning,
            summary: last.map { "\(view.label) was last scanned at \($0.rfc3339 ?? Wording.day($0))." }
                ?? "\(view.label) was never scanned since it was added.",
            nextStep: "See whether the service keeps up: its log, its /metrics, and the number of scans in flight.",
            evidence: .object([
                ("last_scan_at", .time(last)), ("period_s", .integer(view.periodSeconds)),
            ]))
        finding.stale = false
        return [finding]
    }

    /// The last second at which the last scan is young enough; `nil` for a paused target, which is never scanned.
    static func limit(_ view: TargetView) -> Instant? {
        guard !view.target.settings.paused else { return nil }
        let last = view.state.lastScanAt ?? view.state.addedAt
        return limit(after: max(last, view.policy.scanningSince ?? last), periodSeconds: view.periodSeconds)
    }

    static func limit(after last: Instant, periodSeconds: Int64) -> Instant {
        last + max(3 * periodSeconds, periodSeconds + 600)
    }

    /// The same of the installation.
    static func findings(
        lastScanAt: Instant?, startedAt: Instant, targets: Int, periodSeconds: Int64, now: Instant
    ) -> [Finding] {
        let limit = limit(after: max(lastScanAt ?? startedAt, startedAt), periodSeconds: periodSeconds)
        guard targets > 0, now > limit else { return [] }
        return [
            Finding(
                key: "\(FindingKind.scanStale.rawValue)/installation", kind: .scanStale, severity: .warning,
                subject: "this installation",
                summary: "No scan has finished since "
                    + "\((lastScanAt ?? startedAt).rfc3339 ?? Wording.day(lastScanAt ?? startedAt)), of "
                    + "\(Wording.counted(targets, "target")).",
                nextStep: "See the service's log and whether its resolver and network are up.",
                evidence: .object([("last_scan_at", .time(lastScanAt)), ("started_at", .time(startedAt))]),
                since: now)
        ]
    }
}
