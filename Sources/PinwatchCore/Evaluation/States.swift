/// The last result of one address and hello, and since when it has been the same.
package struct AddressStatus: Sendable, Hashable {
    package var address: IPAddress?
    package var profile: HelloProfile
    /// The contract's outcome word.
    package var outcome: String
    /// A sentence for people, from the outcome's detail.
    package var message: String?
    package var hadChain: Bool
    package var since: Instant
    package var lastAt: Instant
    /// Scans in a row that got no chain here by this hello; `nil` where they were not counted, so that `since` must do.
    package var failures: Int?

    package init(
        address: IPAddress?, profile: HelloProfile, outcome: String, message: String?, hadChain: Bool, since: Instant,
        lastAt: Instant, failures: Int? = nil
    ) {
        self.address = address
        self.profile = profile
        self.outcome = outcome
        self.message = message
        self.hadChain = hadChain
        self.since = since
        self.lastAt = lastAt
        self.failures = failures
    }
}

/// The handshake in which an address last showed a chain: to the phone's hello, or to the legacy one where that got
/// none.
package struct ServedHandshake: Sendable, Hashable {
    package var address: IPAddress
    package var profile: HelloProfile
    package var tlsVersion: TLSVersion?
    /// As in ``Observation/diffieHellmanBits``.
    package var diffieHellmanBits: Int?

    package init(address: IPAddress, profile: HelloProfile, tlsVersion: TLSVersion?, diffieHellmanBits: Int?) {
        self.address = address
        self.profile = profile
        self.tlsVersion = tlsVersion
        self.diffieHellmanBits = diffieHellmanBits
    }
}

/// Everything the store knows of a target that judgement needs.
package struct TargetState: Sendable {
    package var target: Target
    /// When the target was first configured: what `scan.stale` counts from before the first scan.
    package var addedAt: Instant
    package var lastScanAt: Instant?
    /// The last scan in which some address gave a chain.
    package var lastChainAt: Instant?
    /// Scans in a row in which no address gave a chain.
    package var failures: Int
    /// When the first of those scans was.
    package var failingSince: Instant?
    /// The addresses of the last scan that resolved.
    package var addresses: [AddressStatus]
    /// Open spans with their servings.
    package var openSpans: [Span]
    /// One for each address that serves a chain, whether or not it has answered since.
    package var handshakes: [ServedHandshake]
    /// By fingerprint, the served leaves that are known to be revoked.
    package var revoked: [SHA256Digest: Revocation] = [:]

    package init(
        target: Target, addedAt: Instant, lastScanAt: Instant?, lastChainAt: Instant?, failures: Int,
        failingSince: Instant?, addresses: [AddressStatus], openSpans: [Span],
        handshakes: [ServedHandshake] = []
    ) {
        self.target = target
        self.addedAt = addedAt
        self.lastScanAt = lastScanAt
        self.lastChainAt = lastChainAt
        self.failures = failures
        self.failingSince = failingSince
        self.addresses = addresses
        self.openSpans = openSpans
        self.handshakes = handshakes
    }
}

/// Gives the assessment of a chain, from a cache or by building paths.
package protocol ChainAssessor: Sendable {
    /// The assessment whose best path suits `now`; `nil` if the chain is unknown to `load` or the trust store has no such name.
    ///
    /// - Parameter load: Fetches the chain's bytes; called only if they are needed.
    func assessment(
        of chain: ChainID, trustStore: String, now: Instant, load: () throws -> Chain?
    ) rethrows -> ChainAssessment?
}

/// A release's verdict on what some addresses serve.
package struct StoredVerdict: Sendable, Hashable {
    package var pinSetID: PinSetID
    package var targetID: TargetID
    package var address: IPAddress
    package var family: KeyFamily?
    package var chain: ChainID
    package var verdict: ReleaseVerdict

    package init(
        pinSetID: PinSetID, targetID: TargetID, address: IPAddress, family: KeyFamily?, chain: ChainID,
        verdict: ReleaseVerdict
    ) {
        self.pinSetID = pinSetID
        self.targetID = targetID
        self.address = address
        self.family = family
        self.chain = chain
        self.verdict = verdict
    }
}

/// Something that will end, for the runway.
package struct Upcoming: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case certificate, chain
        case pinSet = "pin_set"
        /// A release that stops accepting a host, or stops pinning it.
        case release
    }
    package var kind: Kind
    package var endsAt: Instant
    package var targetID: TargetID?
    package var pinSetID: PinSetID?
    package var subject: String
    /// What ends, in a few words: `leaf certificate ends`, `pinning turns off`.
    package var summary: String
    /// Part of an app's users concerned, 0 to 1, where it is of a release and known.
    package var share: Double?

    package init(
        kind: Kind, endsAt: Instant, targetID: TargetID?, pinSetID: PinSetID?, subject: String, summary: String,
        share: Double? = nil
    ) {
        self.kind = kind
        self.endsAt = endsAt
        self.targetID = targetID
        self.pinSetID = pinSetID
        self.subject = subject
        self.summary = summary
        self.share = share
    }
}

/// All that should hold for a scope at one time.
package struct Evaluation: Sendable {
    package var findings: [Finding]
    /// What is not `accept`; `accepted` counts the rest by pin set and target.
    package var verdicts: [StoredVerdict]
    package var accepted: [AcceptedCount]
    package var upcoming: [Upcoming]
    /// The first instant at which the answer may differ though nothing is observed; `nil` for never.
    package var nextChange: Instant?

    package struct AcceptedCount: Sendable, Hashable {
        package var pinSetID: PinSetID
        package var targetID: TargetID
        package var count: Int
        package init(pinSetID: PinSetID, targetID: TargetID, count: Int) {
            self.pinSetID = pinSetID
            self.targetID = targetID
            self.count = count
        }
    }

    package init(
        findings: [Finding] = [], verdicts: [StoredVerdict] = [], accepted: [AcceptedCount] = [],
        upcoming: [Upcoming] = [], nextChange: Instant? = nil
    ) {
        self.findings = findings
        self.verdicts = verdicts
        self.accepted = accepted
        self.upcoming = upcoming
        self.nextChange = nextChange
    }
}
