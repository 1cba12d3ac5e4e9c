/// A page of a list. `next` is an opaque cursor that continues after its last item, `nil` at the end.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    package var next: String?
    /// How many there are over all pages.
    package var total: Int

    package init(items: [Item], next: String?, total: Int) {
        self.items = items
        self.next = next
        self.total = total
    }

    package func map<Other: Sendable>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next, total: total)
    }
}

/// Which part of a list is asked for.
package struct PageRequest: Sendable, Hashable {
    /// 1 to 200.
    package var limit: Int
    /// A `next` of an earlier page of the same list with the same sort and filters.
    package var cursor: String?
    /// The field to sort by, one of the list's sortable fields; `nil` takes the list's own order.
    package var sort: String?
    package var descending: Bool
    /// Filters by field name, each with the values that are allowed; fields the list cannot filter by are refused by the API.
    package var filters: [String: [String]]

    package init(
        limit: Int = 50, cursor: String? = nil, sort: String? = nil, descending: Bool = false,
        filters: [String: [String]] = [:]
    ) {
        self.limit = limit
        self.cursor = cursor
        self.sort = sort
        self.descending = descending
        self.filters = filters
    }
}

/// How a target stands, from its open findings; `unknown` before the first scan and while only stale knowledge is left.
package enum TargetCondition: String, Sendable, CaseIterable {
    case ok, warning, critical, unknown
}

package struct FindingCounts: Sendable, Hashable {
    package var critical: Int
    package var warning: Int
    package var info: Int
    package init(critical: Int = 0, warning: Int = 0, info: Int = 0) {
        self.critical = critical
        self.warning = warning
        self.info = info
    }
}

/// A target as lists show it.
package struct TargetRecord: Sendable {
    /// The leaf served by the most addresses now.
    package struct Leaf: Sendable, Hashable {
        package var fingerprint: SHA256Digest
        package var spki: SHA256Digest?
        package var subject: String?
        package var notAfter: Instant?
        package init(fingerprint: SHA256Digest, spki: SHA256Digest?, subject: String?, notAfter: Instant?) {
            self.fingerprint = fingerprint
            self.spki = spki
            self.subject = subject
            self.notAfter = notAfter
        }
    }
    package var target: Target
    package var condition: TargetCondition
    package var stale: Bool
    package var lastScanAt: Instant?
    package var openFindings: FindingCounts
    package var leaf: Leaf?
    /// Moves on with every change of the settings, not with scans.
    package var revision: Int64
    /// When the target was first made; coming back after a removal does not move it.
    package var createdAt: Instant

    package init(
        target: Target, condition: TargetCondition, stale: Bool, lastScanAt: Instant?, openFindings: FindingCounts,
        leaf: Leaf?, revision: Int64 = 1, createdAt: Instant = Instant(unixSeconds: 0)
    ) {
        self.target = target
        self.condition = condition
        self.stale = stale
        self.lastScanAt = lastScanAt
        self.openFindings = openFindings
        self.leaf = leaf
        self.revision = revision
        self.createdAt = createdAt
    }
}

/// A span as the API shows it: the chain's fingerprints in place of its id.
package struct SpanRecord: Sendable {
    package var targetID: TargetID
    package var span: Span
    package var chain: [SHA256Digest]
    /// The leaf's SPKI digest, which colours the span.
    package var spki: SHA256Digest?
    package init(targetID: TargetID, span: Span, chain: [SHA256Digest], spki: SHA256Digest?) {
        self.targetID = targetID
        self.span = span
        self.chain = chain
        self.spki = spki
    }
}

/// A run of equal observations of one address and hello.
package struct ObservationRecord: Sendable {
    /// Ascending in the order stored.
    package var id: Int64
    package var targetID: TargetID
    package var identity: TargetIdentity
    /// The newest of the run; `chain` is `nil` here, see `fingerprints`.
    package var observation: Observation
    package var fingerprints: [SHA256Digest]
    /// In the contract's order.
    package var weak: [Weakness]
    package var firstAt: Instant
    /// Observations in the run.
    package var times: Int64
    package init(
        id: Int64, targetID: TargetID, identity: TargetIdentity, observation: Observation,
        fingerprints: [SHA256Digest], weak: [Weakness], firstAt: Instant, times: Int64
    ) {
        self.id = id
        self.targetID = targetID
        self.identity = identity
        self.observation = observation
        self.fingerprints = fingerprints
        self.weak = weak
        self.firstAt = firstAt
        self.times = times
    }
}

/// A stored verdict with the words that the API shows.
package struct VerdictRecord: Sendable {
    package var pinSetID: PinSetID
    package var pinSet: PinSetIdentity
    package var targetID: TargetID
    package var address: IPAddress
    package var family: KeyFamily?
    package var chain: [SHA256Digest]
    package var verdict: ReleaseVerdict
    package init(
        pinSetID: PinSetID, pinSet: PinSetIdentity, targetID: TargetID, address: IPAddress, family: KeyFamily?,
        chain: [SHA256Digest], verdict: ReleaseVerdict
    ) {
        self.pinSetID = pinSetID
        self.pinSet = pinSet
        self.targetID = targetID
        self.address = address
        self.family = family
        self.chain = chain
        self.verdict = verdict
    }
}

/// A pin set's answers for a target: the count of `accept`s, for which no rows are kept.
package struct AcceptedRecord: Sendable, Hashable {
    package var pinSetID: PinSetID
    package var pinSet: PinSetIdentity
    package var count: Int
    package init(pinSetID: PinSetID, pinSet: PinSetIdentity, count: Int) {
        self.pinSetID = pinSetID
        self.pinSet = pinSet
        self.count = count
    }
}

/// Where and when a certificate or key was served.
package struct Sighting: Sendable, Hashable {
    package var targetID: TargetID
    package var label: String
    package var certificate: SHA256Digest
    /// 0 for the leaf.
    package var position: Int
    package var firstSeen: Instant
    package var lastSeen: Instant
    package var open: Bool
    package init(
        targetID: TargetID, label: String, certificate: SHA256Digest, position: Int, firstSeen: Instant,
        lastSeen: Instant, open: Bool
    ) {
        self.targetID = targetID
        self.label = label
        self.certificate = certificate
        self.position = position
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.open = open
    }
}

package struct CertificateRecord: Sendable {
    package var certificate: Certificate
    /// At most 200, newest first.
    package var sightings: [Sighting]
    /// `nil` where nobody has looked, as for what was never a leaf.
    package var revocation: Revocation?
    package init(certificate: Certificate, sightings: [Sighting], revocation: Revocation? = nil) {
        self.certificate = certificate
        self.sightings = sightings
        self.revocation = revocation
    }
}

package struct KeyRecord: Sendable {
    package var spki: SHA256Digest
    package var family: KeyFamily?
    /// Certificates over this key, newest first, at most 200.
    package var certificates: [SHA256Digest]
    package var sightings: [Sighting]
    package init(spki: SHA256Digest, family: KeyFamily?, certificates: [SHA256Digest], sightings: [Sighting]) {
        self.spki = spki
        self.family = family
        self.certificates = certificates
        self.sightings = sightings
    }
}

package struct AlertRecord: Sendable {
    package var alert: Alert
    /// Labels of the targets concerned.
    package var subjects: [String]
    /// The finding as it is, or as it last was.
    package var finding: Finding
    package init(alert: Alert, subjects: [String], finding: Finding) {
        self.alert = alert
        self.subjects = subjects
        self.finding = finding
    }
}

package struct EventRecord: Sendable {
    /// The cursor of the events stream, ascending, never used again.
    package var id: Int64
    package var event: Event
    package init(id: Int64, event: Event) {
        self.id = id
        self.event = event
    }
}

/// The overview's facts, counted in one read.
package struct SummaryRecord: Sendable {
    package var targets: Int
    /// Current addresses over all targets.
    package var addresses: Int
    package var conditions: [TargetCondition: Int]
    package var findings: FindingCounts
    package var openAlerts: Int
    package var pinSets: Int
    /// The worst open findings, critical before warning, oldest first, at most 20; `info` never.
    package var broken: [Finding]
    /// Nearest first, at most 20.
    package var runway: [Upcoming]
    /// Newest first, at most 20.
    package var changes: [EventRecord]
    package var lastScanAt: Instant?
    /// Targets scanned within 1.5 of their periods; `nil` before the first scan.
    package var onTime: Int
    package var failing: Int
    /// Targets never scanned.
    package var unscanned: Int

    package init(
        targets: Int, addresses: Int, conditions: [TargetCondition: Int], findings: FindingCounts, openAlerts: Int,
        pinSets: Int, broken: [Finding], runway: [Upcoming], changes: [EventRecord], lastScanAt: Instant?,
        onTime: Int, failing: Int, unscanned: Int
    ) {
        self.targets = targets
        self.addresses = addresses
        self.conditions = conditions
        self.findings = findings
        self.openAlerts = openAlerts
        self.pinSets = pinSets
        self.broken = broken
        self.runway = runway
        self.changes = changes
        self.lastScanAt = lastScanAt
        self.onTime = onTime
        self.failing = failing
        self.unscanned = unscanned
    }
}
