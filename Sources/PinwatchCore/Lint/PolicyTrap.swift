/// A trap, fault or doubt in one policy, before it has a place in a file.
package struct PolicyTrap: Sendable, Hashable {
    package let rule: LintRule
    package let severity: LintSeverity
    /// The host entry as its file writes it; `nil` for the policy as a whole.
    package let host: String?
    /// The pin that is at fault.
    package let pin: Pin?
    /// Where it stands in the XML that the policy was read from; `nil` for other policies.
    package let mark: Mark?
    /// What is there and what follows from it, one or two sentences.
    package let message: String
    /// What to write instead, one sentence.
    package let advice: String
    /// A host whose pins elsewhere in the same hand-over make up for it; `nil` where nothing does.
    package let mootWherePinned: String?

    package init(
        _ rule: LintRule, _ severity: LintSeverity, host: String? = nil, pin: Pin? = nil, mark: Mark? = nil,
        message: String, advice: String, mootWherePinned: String? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.host = host
        self.pin = pin
        self.mark = mark
        self.message = message
        self.advice = advice
        self.mootWherePinned = mootWherePinned
    }
}

/// What lint knows beside the pins.
package struct LintFacts: Sendable {
    package let now: Instant
    /// From how long before their end pins are told of, in seconds.
    package let nearSeconds: Int64
    /// Certificates that are known to be the hosts': chains as served, or files of the app's bundle.
    package let certificates: [CertificateSummary]
    /// `nil` where there is no list to ask.
    package let suffixes: (any PublicSuffixes)?

    package init(
        now: Instant, nearSeconds: Int64 = 30 * 86_400, certificates: [CertificateSummary] = [],
        suffixes: (any PublicSuffixes)? = nil
    ) {
        self.now = now
        self.nearSeconds = nearSeconds
        self.certificates = certificates
        self.suffixes = suffixes
    }
}
