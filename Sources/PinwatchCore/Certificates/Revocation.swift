/// What could be learnt of whether an issuer has revoked a certificate. Each is an answer of its own.
package enum RevocationStatus: String, Sendable, CaseIterable {
    case good
    case revoked
    /// The issuer's responder answered that it does not know the certificate.
    case unknown
    /// The certificate names somebody to ask, and no answer that holds could be had.
    case unavailable
    /// The certificate names nobody to ask, and its server staples nothing.
    case noneOffered = "none_offered"
}

/// Where an answer about a certificate came from.
package enum RevocationSource: String, Sendable, CaseIterable {
    /// A response that the server stapled to its handshake (RFC 6066 section 8).
    case stapledOCSP = "stapled_ocsp"
    /// A responder that the certificate names (RFC 6960).
    case ocsp
    /// A list that the certificate names (RFC 5280 section 5).
    case crl

    /// In a sentence, as who says it.
    package var words: String {
        switch self {
        case .stapledOCSP: "the response that the server staples"
        case .ocsp: "the issuer's OCSP responder"
        case .crl: "the issuer's revocation list"
        }
    }
}

/// Why a certificate was revoked: the numbers of RFC 5280 section 5.3.1.
package enum RevocationReason: Int, Sendable, CaseIterable {
    case unspecified = 0
    case keyCompromise = 1
    case caCompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    case certificateHold = 6
    case privilegeWithdrawn = 9
    case aaCompromise = 10

    package var word: String {
        switch self {
        case .unspecified: "unspecified"
        case .keyCompromise: "key_compromise"
        case .caCompromise: "ca_compromise"
        case .affiliationChanged: "affiliation_changed"
        case .superseded: "superseded"
        case .cessationOfOperation: "cessation_of_operation"
        case .certificateHold: "certificate_hold"
        case .privilegeWithdrawn: "privilege_withdrawn"
        case .aaCompromise: "aa_compromise"
        }
    }

    package init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

/// One verified answer about a certificate.
package struct RevocationAnswer: Sendable, Hashable {
    /// `good`, `revoked` or `unknown`.
    package let status: RevocationStatus
    /// The time for which the answer is right, and when a newer one is promised; `nil` where none is.
    package let thisUpdate: Instant
    package let nextUpdate: Instant?
    package let revokedAt: Instant?
    package let reason: RevocationReason?

    package init(
        status: RevocationStatus, thisUpdate: Instant, nextUpdate: Instant?, revokedAt: Instant? = nil,
        reason: RevocationReason? = nil
    ) {
        self.status = status
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
        self.revokedAt = revokedAt
        self.reason = reason
    }

    /// Seconds by which a responder's clock may be ahead of ours.
    private static let skewSeconds: Int64 = 300
    /// How long an answer stands that promises no newer one, which is to be had at any time then (RFC 6960 section 2.4): a
    /// server must not staple an old one for ever.
    private static let unboundedSeconds: Int64 = 86_400

    /// Whether the answer may be believed now. That a certificate was revoked does not lapse with the answer.
    package func holds(at now: Instant) -> Bool {
        guard thisUpdate <= now + Self.skewSeconds else { return false }
        return status == .revoked || now <= nextUpdate ?? thisUpdate + Self.unboundedSeconds
    }
}

/// What is known of a certificate's revocation.
package struct Revocation: Sendable, Hashable {
    package var status: RevocationStatus
    /// Where the answer is from; `nil` where there is none.
    package var source: RevocationSource?
    package var answer: RevocationAnswer?
    /// Why there is no answer, or a better source gave none; a sentence.
    package var detail: String?
    package var checkedAt: Instant

    /// What an answer says.
    package init(_ answer: RevocationAnswer, from source: RevocationSource, detail: String? = nil, at: Instant) {
        status = answer.status
        self.source = source
        self.answer = answer
        self.detail = detail
        checkedAt = at
    }

    /// That there is no answer.
    package init(without status: RevocationStatus, detail: String?, at: Instant) {
        self.status = status
        self.detail = detail
        checkedAt = at
    }

    /// Whether this stands against another that was found later. What was revoked stays so until its issuer calls it good,
    /// for no earlier time: one who answers nothing, or no longer knows the certificate, takes nothing back.
    package func outlasts(_ later: Revocation) -> Bool {
        guard status == .revoked, let known = answer else { return false }
        guard let found = later.answer, found.status != .unknown else { return true }
        return found.thisUpdate < known.thisUpdate
    }
}
