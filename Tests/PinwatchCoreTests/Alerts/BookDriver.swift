import PinwatchCore
import Testing

/// Keeps findings and alerts as a store would, and hands them to the book.
struct BookDriver {
    static let now = Instant(unixSeconds: 1_800_000_000)

    var now = BookDriver.now
    var windows = GatheringWindows()
    private(set) var open: [OpenFinding] = []
    private var lastID: Int64 = 0
    var policy = EvaluationPolicy(
        thresholds: Configuration.Thresholds(), periodSeconds: 300, routes: [],
        channels: ["ops", "chat"], pinSets: [])
    var labels = ["app": "shop"]

    static func finding(
        _ key: String = "pin.rejected/12/3", kind: FindingKind = .pinRejected, severity: Severity = .critical,
        stage: Stage? = nil, scope: (Int, Int)? = nil, summary: String = "words", stale: Bool = false,
        evidence: Int64 = 0, subject: String = "api.example.com"
    ) -> Finding {
        Finding(
            key: key, kind: kind, stage: stage, scope: scope.map { Scope(affected: $0.0, of: $0.1) },
            severity: severity, targetID: TargetID(12), subject: subject, summary: summary, nextStep: "do",
            evidence: .integer(evidence), since: now, stale: stale)
    }

    func target(_ id: TargetID) -> Target? {
        Target(
            id: id,
            settings: TargetSettings(
                identity: TargetIdentity(
                    host: .name(HostName(checked: "api.example.com")), port: 443, sni: nil, startTLS: nil),
                labels: labels))
    }

    /// Reconciles after some seconds and keeps what is answered.
    mutating func play(_ found: [Finding], after seconds: Int64 = 300) -> BookChanges {
        now = now + seconds
        let found = found.map { finding in
            var finding = finding
            finding.since = now
            return finding
        }
        let changes = AlertBook.reconcile(
            found: found, open: open, policy: policy, targets: target, windows: &windows, now: now)
        for change in changes.changes {
            switch change {
            case .open(let finding, let alert), .update(let finding, let alert, _):
                open.removeAll { $0.finding.key == finding.key }
                open.append(OpenFinding(finding: finding, alert: alert.map { numbered($0) }))
            case .resolve(let finding, _): open.removeAll { $0.finding.key == finding.key }
            }
        }
        return changes
    }

    private mutating func numbered(_ alert: Alert) -> Alert {
        guard alert.id.rawValue == 0 else { return alert }
        lastID += 1
        var alert = alert
        alert.id = AlertID(lastID)
        return alert
    }

    mutating func acknowledge() {
        for index in open.indices {
            open[index].alert?.state = .acknowledged
            open[index].alert?.acknowledged = Alert.Acknowledgement(by: "me", at: now, note: nil)
        }
    }
}

extension BookChanges {
    /// `ops alert.opened`: who is told what, in order.
    var told: [String] { outbox.map { "\($0.channel) \($0.type)" } }
}
