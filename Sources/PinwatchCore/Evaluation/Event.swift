/// What can have happened. A change is never a finding.
package enum EventKind: String, Sendable, CaseIterable {
    case keyChanged = "key.changed"
    case chainChanged = "chain.changed"
    /// A certificate with a key of a kind that the target did not hold came beside what it serves, or went.
    case familyAppeared = "family.appeared"
    case familyDisappeared = "family.disappeared"
    /// Some of a target's addresses serve another chain, and the others have still to follow.
    case rolloutStarted = "rollout.started"
    case rolloutEnded = "rollout.ended"
    /// A leaf is served without any signed certificate timestamp where the one before came with some.
    case sctDropped = "sct.dropped"
    case targetAdded = "target.added"
    case targetRemoved = "target.removed"
}

/// What a changed leaf means for those who pin it.
package enum KeyChangeClass: String, Sendable, CaseIterable {
    /// A new certificate over the same key. Quiet.
    case sameKeyRenewed = "same_key_renewed"
    /// Every release that pins the host accepts the new key.
    case toPinOfAll = "to_pin_of_all"
    case toPinOfSome = "to_pin_of_some"
    case toPinOfNone = "to_pin_of_none"
    /// A key that this target served before came back. Quiet within the flap window.
    case returned
    /// A third identity within the flap window of a change, pinned by nobody. Always speaks.
    case unknownThird = "unknown_third"
    /// No release pins the host, so there is nothing to measure the new key by.
    case unpinned
}

/// What happened, appended once.
package struct Event: Sendable, Hashable {
    package var kind: EventKind
    package var at: Instant
    package var targetID: TargetID?
    /// Who it is about, in words.
    package var subject: String
    package var keyChange: KeyChangeClass?
    /// Kept for the record, told to nobody unasked.
    package var quiet: Bool
    /// One sentence.
    package var summary: String
    /// Facts: the digests before and after, the addresses.
    package var evidence: JSON

    package init(
        kind: EventKind, at: Instant, targetID: TargetID?, subject: String, keyChange: KeyChangeClass? = nil,
        quiet: Bool, summary: String, evidence: JSON
    ) {
        self.kind = kind
        self.at = at
        self.targetID = targetID
        self.subject = subject
        self.keyChange = keyChange
        self.quiet = quiet
        self.summary = summary
        self.evidence = evidence
    }
}
