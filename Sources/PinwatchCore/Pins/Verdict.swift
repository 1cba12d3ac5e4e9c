/// What a client makes of a chain: pin-semantics 0.2, and the two answers of a set of paths or of missing knowledge.
package enum VerdictKind: String, Sendable, CaseIterable {
    case accept
    case acceptReport = "accept_report"
    case rejectPin = "reject_pin"
    case rejectChain = "reject_chain"
    case unpinned
    case configError = "config_error"
    case notEvaluated = "not_evaluated"
    case dependsOnPath = "depends_on_path"
    case unknown
}

/// Whether nobody meant the host to be pinned, or a trap turned pinning off.
package enum UnpinnedBy: String, Sendable {
    case design, trap
}

/// The pin that let a connection through, and where.
package struct PinMatch: Sendable, Hashable {
    /// The pin as its file wrote it.
    package let pin: String
    /// `leaf`, `intermediate` or `anchor`.
    package let position: String
    /// The fingerprint of the certificate that matched.
    package let certificate: SHA256Digest

    package init(pin: String, position: String, certificate: SHA256Digest) {
        self.pin = pin
        self.position = position
        self.certificate = certificate
    }
}

/// One layer's answer for one chain.
package struct Verdict: Sendable, Hashable {
    package struct PathVerdict: Sendable, Hashable {
        package let anchorSubject: String?
        package let anchor: SHA256Digest
        package let kind: VerdictKind
        package init(anchorSubject: String?, anchor: SHA256Digest, kind: VerdictKind) {
            self.anchorSubject = anchorSubject
            self.anchor = anchor
            self.kind = kind
        }
    }

    package var kind: VerdictKind
    /// Present exactly if `kind` is `unpinned`.
    package var by: UnpinnedBy?
    /// A stable word, such as `no_pin_matched`.
    package var code: String
    /// A sentence for people.
    package var reason: String
    /// What is inferred or unverified.
    package var notes: [String]
    /// In the client's own order; empty for clients that look at the leaf as sent.
    package var paths: [PathVerdict]
    package var matched: PinMatch?

    package init(
        _ kind: VerdictKind, by: UnpinnedBy? = nil, code: String, reason: String, notes: [String] = [],
        paths: [PathVerdict] = [], matched: PinMatch? = nil
    ) {
        self.kind = kind
        self.by = by
        self.code = code
        self.reason = reason
        self.notes = notes
        self.paths = paths
        self.matched = matched
    }
}

/// What a release makes of a chain: its layers' verdicts, the worst of which decides.
package struct ReleaseVerdict: Sendable, Hashable {
    package struct Layer: Sendable, Hashable {
        package let client: Client
        package let verdict: Verdict
        package init(client: Client, verdict: Verdict) {
            self.client = client
            self.verdict = verdict
        }
    }

    /// In file order; one for a release with a single client.
    package let layers: [Layer]
    /// The layer that decides.
    package let deciding: Verdict

    package init(layers: [Layer], deciding: Verdict) {
        self.layers = layers
        self.deciding = deciding
    }
}
