/// Where a device has a trust anchor from.
package enum AnchorSource: Sendable, Hashable {
    /// The system's store of public roots.
    case system
    /// A store that stands in for the system's: its anchors count as system roots, but for rules that bind public ones.
    case given
    /// Added by the device's user or administrator.
    case user
}

/// A verified way from the leaf to a trust anchor, dates apart.
package struct Path: Sendable, Hashable {
    /// From the leaf to the last certificate before the anchor. Holds the leaf alone where the leaf is itself an anchor.
    package let certificates: [CertificateSummary]
    /// The trust store's certificate at the end, whether or not the server sent it.
    package let anchor: CertificateSummary
    package let source: AnchorSource
    /// Fingerprints of the members that the trust store holds: more than one where the way goes on above an intermediate
    /// that is an anchor itself, and without `anchor`'s where it goes on by what the server sent.
    package let anchored: Set<SHA256Digest>

    /// - Parameter anchored: `nil` where the anchor is the only member that the trust store holds.
    package init(
        certificates: [CertificateSummary], anchor: CertificateSummary, source: AnchorSource = .system,
        anchored: Set<SHA256Digest>? = nil
    ) {
        self.certificates = certificates
        self.anchor = anchor
        self.source = source
        self.anchored = anchored ?? [anchor.fingerprint]
    }

    /// Every member, the anchor last, as pinning clients see the built chain.
    package var members: [CertificateSummary] {
        certificates.last?.fingerprint == anchor.fingerprint ? certificates : certificates + [anchor]
    }
}

/// Why a chain does or does not lead to an anchor; the contract's closed list.
package enum VerificationCode: String, Sendable {
    case ok, expired
    case notYetValid = "not_yet_valid"
    case selfSigned = "self_signed"
    case untrustedRoot = "untrusted_root"
    case missingIssuer = "missing_issuer"
    case badSignature = "bad_signature"
    case weak
    case wrongPurpose = "wrong_purpose"
    case unreadable
}

/// An issuer that neither the server sent nor the trust store holds.
package struct MissingIssuer: Sendable, Hashable {
    /// RFC 4514 text of the name that was looked for.
    package let subject: String?
    /// Where the certificate that wanted it says it can be had (RFC 5280 section 4.2.2.1).
    package let aiaURLs: [String]
    /// Certificates served before, here or elsewhere, that lead from there to an anchor, the nearest to the leaf first.
    package var known: [SHA256Digest]

    /// Whether clients can fetch it where the certificate that wants it says: they do so by HTTP, and directories of a
    /// company's own (`ldap:`) help nobody.
    var isFetchable: Bool {
        aiaURLs.contains { url in ["http://", "https://"].contains { url.lowercased().hasPrefix($0) } }
    }

    package init(subject: String?, aiaURLs: [String], known: [SHA256Digest] = []) {
        self.subject = subject
        self.aiaURLs = aiaURLs
        self.known = known
    }
}

/// What path building made of a chain and a trust store, apart from dates and names: it holds for as long as both do.
package struct ChainAssessment: Sendable, Hashable {
    package let chain: ChainID
    package let trustStore: String
    /// One per entry of the chain, in the order sent.
    package let certificates: [CertificateSummary]
    /// The paths found, best first; empty where none verifies.
    package let paths: [Path]
    /// `ok` exactly if there is a path; never a date code, those depend on when one asks.
    package let code: VerificationCode
    /// A sentence for `code` that names the certificate at fault.
    package let reason: String
    /// Sent certificates that are on no path, dates apart, in the order sent. A stray certificate never satisfies a pin.
    package let stray: [SHA256Digest]
    package var missingIssuer: MissingIssuer?

    package init(
        chain: ChainID, trustStore: String, certificates: [CertificateSummary], paths: [Path],
        code: VerificationCode, reason: String, stray: [SHA256Digest], missingIssuer: MissingIssuer?
    ) {
        self.chain = chain
        self.trustStore = trustStore
        self.certificates = certificates
        self.paths = paths
        self.code = code
        self.reason = reason
        self.stray = stray
        self.missingIssuer = missingIssuer
    }

    /// The first certificate of the chain.
    package var leaf: CertificateSummary? { certificates.first }
}

/// The name that a client expects in a certificate (RFC 6125's reference identity).
package enum ReferenceIdentity: Sendable, Hashable {
    case dns(HostName)
    case ip(IPAddress)
}

/// The judgement of a chain at one time for one name: the `verification` shape of the contract.
package struct Verification: Sendable, Hashable {
    package let trustStore: String
    /// About path, dates and purpose, never the name.
    package let valid: Bool
    package let code: VerificationCode
    package let reason: String
    package let hostMatches: Bool
    /// Paths whose dates hold, before those whose do not.
    package let paths: [Path]
    /// Sent certificates that are on no path whose dates hold, in the order sent; on no path at all, where none holds.
    package let stray: [SHA256Digest]
    package let missingIssuer: MissingIssuer?

    package init(
        trustStore: String, valid: Bool, code: VerificationCode, reason: String, hostMatches: Bool, paths: [Path],
        stray: [SHA256Digest], missingIssuer: MissingIssuer?
    ) {
        self.trustStore = trustStore
        self.valid = valid
        self.code = code
        self.reason = reason
        self.hostMatches = hostMatches
        self.paths = paths
        self.stray = stray
        self.missingIssuer = missingIssuer
    }
}
