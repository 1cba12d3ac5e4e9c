/// Turns transitions into the events that are told of them, once.
package enum ChangeJudge {
    /// - Parameters:
    ///   - servedBefore: When this target last served a key (by SPKI digest) before this scan; `nil` for never.
    ///   - assess: As for ``Evaluator``.
    package static func events(
        for transitions: [ChainTransition], of target: Target, policy: EvaluationPolicy, now: Instant,
        servedBefore: (SHA256Digest) throws -> Instant?, assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> [Event] {
        var memory = AssessmentMemory()
        var events: [Event] = []
        for transition in transitions where !transition.spread {
            let trustStore = target.settings.trustStore
            let from = try memory.assessment(of: transition.from, trustStore: trustStore, assess: assess)
            let to = try memory.assessment(of: transition.to, trustStore: trustStore, assess: assess)
            let change = ChainChange(transition: transition, from: from, to: to, target: target, now: now)
            guard change.replacesLeaf, let key = to?.leaf else {
                events.append(change.chainEvent)
                continue
            }
            let lastServed = try key.spki.flatMap { try servedBefore($0) }
            let reception = try change.reception(
                by: policy.pinSets(about: target.identity.clientHost),
                assess: { try memory.assessment(of: $0, trustStore: $1, assess: assess) })
            events.append(
                change.keyEvent(
                    lastServed: lastServed, reception: reception, windowSeconds: policy.thresholds.flapWindowSeconds))
        }
        return events
    }
}

/// How the releases that pin a host take its new key.
struct KeyReception {
    /// Releases that pin the host.
    var pinning = 0
    var accepting = 0
    /// Whether a release that took the old certificate refuses the new one.
    var worsens = false
}
