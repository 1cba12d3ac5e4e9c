/// Judges stored facts: the set of findings that should be open, and when that may change by itself.
package enum Evaluator {
    /// Judges all targets of one host.
    ///
    /// - Parameters:
    ///   - targets: Every target whose host text this is.
    ///   - assess: The assessment of a chain against a named trust store, `nil` where it cannot be had.
    package static func evaluate(
        host: String, targets: [TargetState], policy: EvaluationPolicy, now: Instant,
        assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> Evaluation {
        Evaluation()
    }

    /// Judges what is about a pin set alone: its expiry.
    package static func evaluate(pinSet: PinSet, policy: EvaluationPolicy, now: Instant) -> Evaluation {
        Evaluation()
    }

    /// Judges the installation: whether scanning keeps up at all.
    package static func evaluate(
        lastScanAt: Instant?, startedAt: Instant, targets: Int, policy: EvaluationPolicy, now: Instant
    ) -> Evaluation {
        Evaluation()
    }

    /// Judges a channel from what its deliveries came to; `disabledAt` is when its receiver answered 410 Gone.
    package static func evaluate(
        channel: String, disabledAt: Instant?, consecutiveFailures: Int, lastError: String?, now: Instant
    ) -> Evaluation {
        Evaluation()
    }
}
