/// How much a finding matters: in ascending order.
package enum Severity: String, Sendable, CaseIterable, Comparable {
    case info, warning, critical

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .critical: 2
        }
    }
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// What can be wrong now. The contract's further kinds come with the rules that find them.
package enum FindingKind: String, Sendable, CaseIterable {
    case pinRejected = "pin.rejected"
    case pinConfigError = "pin.config_error"
    case pinAtRisk = "pin.at_risk"
    case pinNoBackup = "pin.no_backup"
    case pinSetExpiry = "pinset.expiry"
    case pinSetLint = "pinset.lint"
    case certificateExpiry = "certificate.expiry"
    case chainExpiry = "chain.expiry"
    case certificateNotYetValid = "certificate.not_yet_valid"
    case chainInvalid = "chain.invalid"
    case chainIncomplete = "chain.incomplete"
    case hostnameMismatch = "hostname.mismatch"
    case certificateRevoked = "certificate.revoked"
    case cryptoWeak = "crypto.weak"
    case interceptionSuspected = "interception.suspected"
    case vantageSuspect = "vantage.suspect"
    case scanFailing = "scan.failing"
    case scanStale = "scan.stale"
    case hostUnpinned = "host.unpinned"
    case channelFailing = "channel.failing"
}

/// How near an end is, in ascending order.
package enum Stage: String, Sendable, CaseIterable, Comparable {
    case near, soon, imminent, expired

    private var rank: Int {
        switch self {
        case .near: 0
        case .soon: 1
        case .imminent: 2
        case .expired: 3
        }
    }
    package static func < (left: Stage, right: Stage) -> Bool { left.rank < right.rank }
}

/// How much of a target is affected, in the units that the kind's row of the contract names.
package struct Scope: Sendable, Hashable {
    package let affected: Int
    package let of: Int
    package init(affected: Int, of: Int) {
        self.affected = affected
        self.of = of
    }
}

/// What is judged together, and so reconciled together: an evaluation of a scope yields all findings of that scope.
package enum EvaluationScope: Hashable, Sendable {
    /// All targets of one host (``TargetHost/text``).
    case host(String)
    case pinSet(PinSetID)
    case channel(String)
    case installation
    /// No findings of its own: silences begin and end, and open alerts with them.
    case silences

    /// The text stored with each finding.
    package var key: String {
        switch self {
        case .host(let host): "host/" + host
        case .pinSet(let id): "pin-set/" + id.text
        case .channel(let name): "channel/" + name
        case .installation: "installation"
        case .silences: "silences"
        }
    }
}

/// What is wrong now. Values of one `key` over time are one finding.
package struct Finding: Sendable, Hashable {
    /// Fixed by kind and subject as in the contract's table, such as `pin.rejected/12/3`: target 12, pin set 3.
    package var key: String
    package var kind: FindingKind
    package var stage: Stage?
    package var scope: Scope?
    package var severity: Severity
    package var targetID: TargetID?
    package var pinSetID: PinSetID?
    /// Who or what it is about, in words: `api.example.com`, `shop-ios 5.2.0`.
    package var subject: String
    /// One or two sentences: what happened, to whom, and what it means.
    package var summary: String
    /// What a responder should do next, one sentence.
    package var nextStep: String
    /// Facts behind the summary: digests, dates, addresses.
    package var evidence: JSON
    /// When it began; kept by reconciliation for as long as it stays open.
    package var since: Instant
    /// The target has stopped answering, so this is what was last known.
    package var stale: Bool
    /// Part of an app's users concerned, 0 to 1.
    package var affectedShare: Double?

    package init(
        key: String, kind: FindingKind, stage: Stage? = nil, scope: Scope? = nil, severity: Severity,
        targetID: TargetID? = nil, pinSetID: PinSetID? = nil, subject: String, summary: String, nextStep: String,
        evidence: JSON = .object([]), since: Instant, stale: Bool = false, affectedShare: Double? = nil
    ) {
        self.key = key
        self.kind = kind
        self.stage = stage
        self.scope = scope
        self.severity = severity
        self.targetID = targetID
        self.pinSetID = pinSetID
        self.subject = subject
        self.summary = summary
        self.nextStep = nextStep
        self.evidence = evidence
        self.since = since
        self.stale = stale
        self.affectedShare = affectedShare
    }
}
