/// Judges stored facts: the set of findings that should be open, and when that may change by itself.
package enum Evaluator {
    /// Raised with every change to what a rule finds or says, or to how chains and pins are assessed: everything that is
    /// stored is then judged again, once, by the first start that knows of it.
    package static let rulesVersion: Int64 = 6

    /// Each rule sees one target and knows nothing of the others.
    private static let targetRules: [@Sendable (TargetView) -> [Finding]] = [
        PinRejectedRule.findings, PinAtRiskRule.findings, HostUnpinnedRule.findings, CertificateExpiryRule.findings,
        ChainExpiryRule.findings, ChainFaultRule.findings, CertificateRevokedRule.findings, CryptoWeakRule.findings,
        InterceptionSuspectedRule.findings, ScanFailingRule.findings, ScanStaleRule.findings(_:),
    ]

    /// Judges all targets of one host.
    ///
    /// - Parameters:
    ///   - targets: Every target whose host text this is.
    ///   - assess: The assessment of a chain against a named trust store, `nil` where it cannot be had.
    package static func evaluate(
        host: String, targets: [TargetState], policy: EvaluationPolicy, now: Instant,
        assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> Evaluation {
        var memory = AssessmentMemory()
        var views: [TargetView] = []
        for state in targets {
            views.append(try TargetView(state, policy: policy, now: now, memory: &memory, assess: assess))
        }
        return Evaluation(
            findings: views.flatMap { view in targetRules.flatMap { $0(view) } }
                + PinNoBackupRule.findings(views, host: host),
            verdicts: views.flatMap(\.storedVerdicts), accepted: views.flatMap(\.acceptedCounts),
            upcoming: views.flatMap(\.upcoming), nextChange: views.flatMap(\.changes).filter { $0 > now }.min())
    }

    /// Judges what is about a pin set alone: its expiry, whether it can be loaded, and what lint says of it.
    package static func evaluate(pinSet: PinSet, policy: EvaluationPolicy, now: Instant) -> Evaluation {
        let ends = PinSetExpiryRule.ends(of: pinSet)
        let limits = StageLimits(policy.thresholds, lifetime: nil)
        return Evaluation(
            findings: PinConfigErrorRule.findings(pinSet, now: now)
                + PinSetExpiryRule.findings(pinSet, ends: ends, policy: policy, now: now)
                + PinSetLintRule.findings(pinSet, now: now),
            upcoming: PinSetExpiryRule.upcoming(pinSet, ends: ends, now: now),
            nextChange: ends.flatMap { limits.changes(end: $0.at) }.filter { $0 > now }.min())
    }

    /// Judges the installation: whether scanning keeps up at all, and whether its view is in doubt.
    ///
    /// - Parameter suspected: The authorities whose suspicion is active.
    package static func evaluate(
        lastScanAt: Instant?, startedAt: Instant, targets: Int, suspected: [SuspectedAuthority] = [],
        policy: EvaluationPolicy, now: Instant
    ) -> Evaluation {
        let period = max(policy.periodSeconds, 1)
        let limit = ScanStaleRule.limit(after: max(lastScanAt ?? startedAt, startedAt), periodSeconds: period)
        return Evaluation(
            findings: ScanStaleRule.findings(
                lastScanAt: lastScanAt, startedAt: startedAt, targets: targets, periodSeconds: period, now: now)
                + VantageSuspectRule.findings(suspected, now: now),
            nextChange: targets > 0 && limit >= now ? limit + 1 : nil)
    }

    /// Judges a channel from what its deliveries came to; `disabledAt` is when its receiver answered 410 Gone.
    package static func evaluate(
        channel: String, disabledAt: Instant?, consecutiveFailures: Int, lastError: String?, now: Instant
    ) -> Evaluation {
        Evaluation(
            findings: ChannelFailingRule.findings(
                channel: channel, disabledAt: disabledAt, consecutiveFailures: consecutiveFailures,
                lastError: lastError, now: now))
    }
}
