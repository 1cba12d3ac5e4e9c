/// Turns transitions into the events that are told of them, once.
package enum ChangeJudge {
    /// - Parameters:
    ///   - servedBefore: When this target last served a key (by SPKI digest) before this scan; `nil` for never.
    ///   - assess: As for ``Evaluator``.
    package static func events(
        for transitions: [ChainTransition], of target: Target, policy: EvaluationPolicy, now: Instant,
        servedBefore: (SHA256Digest) throws -> Instant?, assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> [Event] {
        []
    }
}
