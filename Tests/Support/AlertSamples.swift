package import PinwatchCore

/// Alerts, findings and outbox items as tests want them: valid, and different only in what is given.
package enum AlertSamples {
    /// 2026-11-30T12:00:00Z
    package static let now = Instant(unixSeconds: 1_796_040_000)

    package static func target(_ id: Int64, host: String = "api.example.com") -> Target {
        let identity = TargetIdentity(
            host: .name(HostName(checked: host)), port: 443, sni: HostName(checked: host), startTLS: nil)
        return Target(id: TargetID(id), settings: TargetSettings(identity: identity, labels: ["app": "shop"]))
    }

    package static func finding(
        _ id: Int64, kind: FindingKind = .pinRejected, severity: Severity = .critical,
        summary: String = "Shop iOS 5.1 rejects api.example.com.", nextStep: String = "Put the old key back."
    ) -> Finding {
        Finding(
            key: "\(kind.rawValue)/\(id)/1", kind: kind, scope: Scope(affected: 1, of: 2), severity: severity,
            targetID: TargetID(id), pinSetID: PinSetID(1), subject: "api.example.com", summary: summary,
            nextStep: nextStep, since: now, affectedShare: 0.25)
    }

    package static func alertItem(
        alert: Int64, target: Target?, channel: String = "ops", change: AlertChangeKind = .opened,
        finding: Finding? = nil, holdUntil: Instant = now, at: Instant = now, id: Int64 = 0
    ) -> OutboxItem {
        let finding = finding ?? Self.finding(target?.id.rawValue ?? 0)
        let told = Alert(
            id: AlertID(alert), findingKey: finding.key, kind: finding.kind,
            state: change == .resolved ? .resolved : .open, severity: finding.severity, openedAt: now,
            resolvedAt: change == .resolved ? at : nil)
        return OutboxItem(
            id: id, channel: channel, subject: .alert(change, told, finding), target: target, holdUntil: holdUntil,
            at: at)
    }

    package static func eventItem(target: Target?, channel: String = "ops", at: Instant = now, id: Int64 = 0)
        -> OutboxItem
    {
        let event = Event(
            kind: .keyChanged, at: at, targetID: target?.id, subject: "api.example.com", keyChange: .toPinOfAll,
            quiet: false, summary: "api.example.com moved to its backup key.", evidence: .object([]))
        return OutboxItem(id: id, channel: channel, subject: .event(event), target: target, holdUntil: at, at: at)
    }
}
