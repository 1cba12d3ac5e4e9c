/// `pinset.expiry`: the day on which a release's pinning turns off by itself.
enum PinSetExpiryRule {
    static func end(of pinSet: PinSet) -> (at: Instant, host: String)? {
        guard pinSet.identity.stack == "default" else { return nil }
        return pinSet.definition.layers.compactMap(\.policy.firstExpiry).min { $0.at < $1.at }
    }

    static func findings(_ pinSet: PinSet, policy: EvaluationPolicy, now: Instant) -> [Finding] {
        guard let end = end(of: pinSet),
            let stage = StageLimits(policy.thresholds, lifetime: nil).stage(end: end.at, now: now)
        else { return [] }
        let label = pinSet.identity.label
        return [
            Finding(
                key: "\(FindingKind.pinSetExpiry.rawValue)/\(pinSet.id.text)", kind: .pinSetExpiry, stage: stage,
                severity: pinSet.identity.variant == .debug ? .info : stage.severity, pinSetID: pinSet.id,
                subject: label,
                summary: stage == .expired
                    ? "\(label) no longer pins \(end.host): its pins ended on \(Wording.day(end.at)), and it accepts "
                        + "any trusted certificate."
                    : "\(label) stops pinning \(end.host) on \(Wording.day(end.at)), and from then on accepts any "
                        + "trusted certificate.",
                nextStep: "Ship a release with later or no expiry, and let users update before that day.",
                evidence: .object([("host", .string(end.host)), ("expires", .time(end.at))]), since: now,
                affectedShare: pinSet.definition.share)
        ]
    }
}
