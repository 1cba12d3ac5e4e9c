/// `pin.at_risk`: a release that accepts a target today, and is certain to reject it or to stop pinning it one day unless
/// something is done. Told quietly until the lead time, within which a release can no longer reach most users.
enum PinAtRiskRule {
    static func findings(_ view: TargetView) -> [Finding] { view.releases.compactMap { finding($0, in: view) } }

    private static func finding(_ release: JudgedRelease, in view: TargetView) -> Finding? {
        guard let end = release.runsOut else { return nil }
        let label = release.pinSet.identity.label
        let day = Wording.day(end.at)
        var finding = view.finding(
            .pinAtRisk, part: release.pinSet.id.text,
            severity: view.now >= limit(end, in: view) ? .warning : .info,
            summary: end.outcome == .rejected
                ? "\(label) will reject \(view.label) after \(day): \(end.what) ends then, and no other pin of it holds."
                : "\(label) will no longer pin \(view.label) after \(day): \(end.what) ends then.",
            nextStep: end.outcome == .rejected
                ? "Ship a release that also pins what comes after it, early enough for users to update before that day."
                : "Ship a release with later or no expiry, and let users update before that day.",
            evidence: .object([
                ("at", .time(end.at)), ("outcome", .string(end.outcome.rawValue)), ("ends", .string(end.what)),
                ("reason", .string(end.reason)), ("pins", .few(release.pins.map { .string($0.text) })),
            ]))
        finding.pinSetID = release.pinSet.id
        finding.affectedShare = release.pinSet.definition.share
        return finding
    }

    /// When it begins to press.
    private static func limit(_ end: RunwayEnd, in view: TargetView) -> Instant {
        end.at - view.thresholds.leadTimeSeconds
    }

    /// The instants at which the answer may change by itself.
    static func changes(_ view: TargetView) -> [Instant] {
        view.releases.compactMap(\.runsOut).flatMap { [limit($0, in: view), $0.at + 1] }
    }
}
