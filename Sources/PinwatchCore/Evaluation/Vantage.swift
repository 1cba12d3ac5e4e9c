/// When this installation's own view of the world is in doubt: many targets that have nothing to do with one another
/// move to one authority within a short time, and no trust store vouches for it.
///
/// - *Authority*: who issued the topmost certificate on the way up from the leaf, for a chain without a path to the
///   target's trust store. A chain with a path is none of this: a public authority's new root reaches many targets within
///   days, and is vouched for.
/// - *New*: no target was on it before the window that ends now.
/// - *Moved*: the target served something else before. One that was never seen otherwise counts too where the authority
///   is a known inspection product's, so that a first start behind one is told of once.
/// - *Unrelated*: of different registrable domains, so that an operator's own authority, which speaks for one or two
///   domains, is not taken for a proxy. Targets that are addresses count as one domain together, since nothing tells whose
///   they are.
/// - *Many*: of at least ``fewestDomains`` domains, and at least half of the targets that have answered since the first
///   of them moved. The half keeps a real change at some hosts among many from passing for a change of the view; it is
///   counted from the first move, so that it holds from the first scans of a proxy on.
package enum Vantage {
    /// Two domains may well be one company's.
    package static let fewestDomains = 3

    /// A suspicion ends after a week, whoever has acknowledged it: the authority is not new any more by then, and what is
    /// still wrong is told target by target.
    package static let lastsSeconds: Int64 = 7 * 86_400

    /// Two periods, since targets are not scanned at one moment; at least ten minutes, at most six hours.
    package static func windowSeconds(periodSeconds: Int64) -> Int64 { min(max(2 * periodSeconds, 600), 6 * 3_600) }

    /// What the targets on one authority come to.
    package struct Group: Sendable, Hashable {
        /// When the first of them came to it.
        package var firstAt: Instant
        /// Those that moved to it.
        package var moved: Int
        /// Registrable domains of those; from ``fewestDomains`` on it need not be exact.
        package var domains: Int
        /// Targets that have answered since `firstAt`.
        package var answered: Int

        package init(firstAt: Instant, moved: Int, domains: Int, answered: Int) {
            self.firstAt = firstAt
            self.moved = moved
            self.domains = domains
            self.answered = answered
        }

        package func isSuspect(windowSeconds: Int64, now: Instant) -> Bool {
            now.seconds(since: firstAt) <= windowSeconds && domains >= fewestDomains && 2 * moved >= answered
        }
    }

    /// Whether a finding about a target that moved may be of what stands in between rather than of the target: what is
    /// judged from the certificates that are served.
    package static func explains(_ kind: FindingKind) -> Bool {
        switch kind {
        case .interceptionSuspected, .pinRejected, .pinAtRisk, .pinNoBackup, .certificateExpiry, .chainExpiry,
            .certificateNotYetValid, .chainInvalid, .chainIncomplete, .hostnameMismatch, .cryptoWeak:
            true
        // What was revoked was verified by an authority that is known.
        case .certificateRevoked, .pinConfigError, .pinSetExpiry, .pinSetLint, .vantageSuspect, .scanFailing,
            .scanStale, .hostUnpinned, .channelFailing:
            false
        }
    }

    /// What a target counts for: the registrable domain of the name that clients use, by the public suffix list, and
    /// without a listed suffix its last two labels; `nil` for an address.
    package static func domain(of identity: TargetIdentity, suffixes: (any PublicSuffixes)?) -> String? {
        let name: String
        switch identity.reference {
        case .ip: return nil
        case .dns(let dns): name = dns.ascii
        }
        let labels = name.split(separator: ".")
        let suffix = suffixes?.suffixLength(of: name).map { name.utf8.suffix($0).count { $0 == UInt8(ascii: ".") } + 1 }
        return labels.suffix((suffix ?? 1) + 1).joined(separator: ".")
    }
}

/// The authority that a target is on, where no trust store vouches for it.
package struct UnknownAuthority: Sendable, Hashable {
    /// Its name, and its key where its own certificate is sent: two authorities may bear one name.
    package let key: String
    /// RFC 4514 text, cut.
    package let name: String
    /// Where it is a known product's.
    package let product: InspectionProduct?

    /// Of what a target serves now; the one on most addresses, `nil` where every chain has a path or none can be read.
    ///
    /// - Parameter spans: The target's; closed ones are passed over.
    package static func serving(
        _ spans: [Span], assess: (ChainID) throws -> ChainAssessment?
    ) rethrows -> (authority: UnknownAuthority, chains: Set<ChainID>)? {
        var found: [UnknownAuthority: (addresses: Set<IPAddress>, chains: Set<ChainID>)] = [:]
        for span in spans where span.closedAt == nil && !span.currentAddresses.isEmpty {
            guard let assessment = try assess(span.chain), let authority = UnknownAuthority(of: assessment) else {
                continue
            }
            found[authority, default: ([], [])].addresses.formUnion(span.currentAddresses)
            found[authority, default: ([], [])].chains.insert(span.chain)
        }
        let most = found.max { left, right in
            (left.value.addresses.count, right.key.key) < (right.value.addresses.count, left.key.key)
        }
        return most.map { ($0.key, $0.value.chains) }
    }

    /// `nil` for a chain with a path, whatever its dates, for one whose names cannot be read, and for one that lacks an
    /// intermediate which can be had, or was served before: who forgot that is on no other authority.
    package init?(of assessment: ChainAssessment) {
        guard assessment.paths.isEmpty, let top = assessment.lineage.last, let issuer = top.issuer else { return nil }
        let product = InspectionProduct.behind(assessment)
        if product == nil, let missing = assessment.missingIssuer, missing.isFetchable || !missing.known.isEmpty {
            return nil
        }
        let isOwn = top.subjectDER != nil && top.subjectDER == top.issuerDER
        name = String(issuer.prefix(Self.longestName))
        key = name + (isOwn ? top.spki.map { " " + $0.pin } ?? "" : "")
        self.product = product
    }

    private static let longestName = 300
}

/// An authority under suspicion, from when it began until no target is on it any longer.
package struct Suspicion: Sendable, Hashable {
    /// ``UnknownAuthority/key``.
    package let key: String
    package let name: String
    package let begunAt: Instant
    /// Since when fewer than ``Vantage/fewestDomains`` domains are left on it.
    package var easedAt: Instant?
    /// Whether it explains what is found of the targets on it.
    package var isActive: Bool

    package init(key: String, name: String, begunAt: Instant, easedAt: Instant? = nil, isActive: Bool = true) {
        self.key = key
        self.name = name
        self.begunAt = begunAt
        self.easedAt = easedAt
        self.isActive = isActive
    }

    /// The suspicion as it stands now. The last few targets have a window's time to come back before what is found of
    /// them is told by itself; if many come to the authority again, it is what it was.
    ///
    /// - Parameter domains: Registrable domains of targets that are still on it.
    package func standing(domains: Int, windowSeconds: Int64, now: Instant) -> Suspicion {
        var next = self
        next.easedAt = domains >= Vantage.fewestDomains ? nil : easedAt ?? now
        let isEased = next.easedAt.map { now.seconds(since: $0) >= windowSeconds } ?? false
        next.isActive = !isEased && now.seconds(since: begunAt) < Vantage.lastsSeconds
        return next
    }

    /// When it ends by itself if nothing moves; `nil` once it has.
    package func nextChange(windowSeconds: Int64) -> Instant? {
        guard isActive else { return nil }
        let old = begunAt + Vantage.lastsSeconds
        return easedAt.map { min($0 + windowSeconds, old) } ?? old
    }
}
