/// What is asked before a rotation: what releases would make of a candidate at a host.
package struct PreflightQuestion: Sendable {
    /// The host as the apps spell it, case and trailing dot included.
    package let host: String
    /// What the new certificate must name.
    package let reference: ReferenceIdentity
    package let candidate: Candidate
    /// Whether a candidate of one certificate is all that would be sent, rather than a certificate whose issuers are still
    /// to be put beside it.
    package let isWhole: Bool
    package let now: Instant
    /// Of releases that name none of their own.
    package let trustStore: String
    /// The targets that stand for the host; `nil` where none is known, so that pins which name no host are taken to be
    /// the host's.
    package let targets: [TargetSettings]?

    package init(
        host: String, reference: ReferenceIdentity, candidate: Candidate, isWhole: Bool = false, now: Instant,
        trustStore: String, targets: [TargetSettings]? = nil
    ) {
        self.host = host
        self.reference = reference
        self.candidate = candidate
        self.isWhole = isWhole
        self.now = now
        self.trustStore = trustStore
        self.targets = targets
    }
}

/// What is known of a host beside the candidate, and how chains are assessed. Its answers may be asked for more than once.
package struct PreflightKnowledge {
    /// What a host has today, against one trust store.
    package enum Today {
        /// What it serves; empty where nothing is known.
        case chains([ChainAssessment])
        /// The issuers of what it serves, without the leaf.
        case issuers([ChainAssessment])
    }

    /// By the name of a trust store.
    package let today: (String) throws -> Today
    /// Certificates that may have issued the candidate, of which those count that did: what the host sends above its leaf.
    package let issuers: [Certificate]
    /// Builds the paths of certificates as sent against a named trust store; `nil` where there is no such store.
    package let assess: ([Certificate], String) throws -> ChainAssessment?

    package init(
        today: @escaping (String) throws -> Today, issuers: [Certificate],
        assess: @escaping ([Certificate], String) throws -> ChainAssessment?
    ) {
        self.today = today
        self.issuers = issuers
        self.assess = assess
    }
}

/// A release that is asked.
package struct PreflightRelease: Sendable {
    /// `nil` for a pin set of a file.
    package let id: PinSetID?
    package let definition: PinSetDefinition

    package init(id: PinSetID? = nil, definition: PinSetDefinition) {
        self.id = id
        self.definition = definition
    }

    /// The system whose users its share is of: as its file says, else as its client library tells.
    package var system: Platform.System? {
        definition.platform?.system ?? definition.layers.lazy.compactMap(\.client.system).first
    }
}
