/// What the API reads. Each call sees one state of the database; a bad cursor or sort throws ``StoreRefusal``.
package protocol ReadingStore: Sendable {
    /// Grows with every commit of this process: what is read after a look at it is no older than the look. `nil` if
    /// commits are not counted.
    var version: UInt64? { get }
    func summary(now: Instant) async throws -> SummaryRecord
    /// Sorts: `host` (its own order), `last_scan_at`, `state`, `leaf.not_after`. Filters: `state`, `owner`, `host`
    /// (part of the name), `label` (`name:value`), `stale`, `paused`, `managed_by`.
    func targets(_ request: PageRequest) async throws -> Page<TargetRecord>
    func target(_ id: TargetID) async throws -> TargetRecord?
    /// Open spans first, then newest closed first. Filters: `open`, `key_family`.
    func spans(of target: TargetID, _ request: PageRequest) async throws -> Page<SpanRecord>
    /// Newest first.
    func observations(of target: TargetID, _ request: PageRequest) async throws -> Page<ObservationRecord>
    func verdicts(of target: TargetID, _ request: PageRequest) async throws -> Page<VerdictRecord>
    /// Of all targets, in the order found. Filters: `target_id`, `pin_set_id`, `app`, `verdict`.
    func verdicts(_ request: PageRequest) async throws -> Page<TargetVerdictRecord>
    /// What will end after `now`, soonest first. Filters: `kind`, `app`, `target_id`, `pin_set_id`.
    func runway(_ request: PageRequest, now: Instant) async throws -> Page<Upcoming>
    func coverage(now: Instant) async throws -> CoverageRecord
    func accepted(of target: TargetID) async throws -> [AcceptedRecord]
    func certificate(_ fingerprint: SHA256Digest) async throws -> CertificateRecord?
    func key(_ spki: SHA256Digest) async throws -> KeyRecord?
    /// Worst first, then oldest. Filters: `kind`, `severity`, `target_id`, `pin_set_id`, `stale`.
    func findings(_ request: PageRequest) async throws -> Page<Finding>
    /// Newest first. Filters: `state`, `severity`, `kind`, `target_id`.
    func alerts(_ request: PageRequest) async throws -> Page<AlertRecord>
    func alert(_ id: AlertID) async throws -> AlertRecord?
    /// Newest first; bodies are left empty. Filters: `state`, `channel`, `alert_id`, `type`.
    func deliveries(_ request: PageRequest) async throws -> Page<Delivery>
    /// Newest first. Filters: `kind`, `target_id`, `quiet`, `class`.
    func events(_ request: PageRequest) async throws -> Page<EventRecord>
    /// The token whose text hashes to this, revoked and expired ones included.
    func token(sha256: SHA256Digest) async throws -> TokenRecord?
    /// Whether any token was ever made. One that expired or was revoked counts: it must not leave open what it guarded.
    func hasTokens() async throws -> Bool
    /// Why the store does not take what should be written, in words for anyone, without statements or paths; `nil` if
    /// it does. A write is tried where the last one failed or is some seconds old, so asking often costs little.
    func writeProblem(now: Instant) async -> String?
    /// Counts for `/metrics` that are cheap to make: deliveries by state, outbox items waiting.
    func queueDepths() async throws -> [(name: String, count: Int)]
}

/// A request that cannot be answered, for a reason that the person asking can mend.
package struct StoreRefusal: Error, Hashable, Sendable {
    /// The request's field at fault: `cursor`, `sort`, or a filter's name.
    package let field: String
    package let message: String
    package init(field: String, message: String) {
        self.field = field
        self.message = message
    }
}

extension ReadingStore {
    package var version: UInt64? { nil }
}
