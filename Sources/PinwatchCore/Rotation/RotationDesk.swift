/// What releases make of what is served, and of what may come in its place: what the API asks of the room that builds
/// paths.
package protocol RotationDesk: Sendable {
    /// What releases would make of a candidate at a host, which need not be a target.
    ///
    /// - Throws: ``PinFilesRefusal/busy`` while too much is asked already, or the store's own errors.
    func preflight(_ request: PreflightRequest, now: Instant) async throws -> PreflightAnswer

    /// What every release makes of everything that a target serves now; `nil` where there is no such target.
    ///
    /// - Throws: As ``preflight(_:now:)``.
    func matrix(of target: TargetID, now: Instant) async throws -> ReleaseMatrix?
}

/// What somebody asks before a rotation.
package struct PreflightRequest: Sendable {
    /// As the apps spell it, case and trailing dot included.
    package let host: String
    /// What the new certificate must name.
    package let reference: ReferenceIdentity
    package let candidate: Candidate
    /// Whether the certificates are all that would be sent.
    package let isWhole: Bool
    /// The releases of this app alone; `nil` for those of all.
    package let app: String?
    /// These pin sets alone; `nil` for all.
    package let pinSets: Set<PinSetID>?

    package init(
        host: String, reference: ReferenceIdentity, candidate: Candidate, isWhole: Bool, app: String?,
        pinSets: Set<PinSetID>?
    ) {
        self.host = host
        self.reference = reference
        self.candidate = candidate
        self.isWhole = isWhole
        self.app = app
        self.pinSets = pinSets
    }
}

/// The answer, with the reading of the candidate's first certificate where it has one.
package struct PreflightAnswer: Sendable {
    package let preflight: Preflight
    package let candidate: Candidate
    package let leaf: CertificateSummary?

    package init(preflight: Preflight, candidate: Candidate, leaf: CertificateSummary?) {
        self.preflight = preflight
        self.candidate = candidate
        self.leaf = leaf
    }

    /// The contract's `preflight`.
    package var json: JSON { preflight.json(of: candidate, leaf: leaf) }
}
