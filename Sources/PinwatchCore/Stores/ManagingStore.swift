/// What the API changes. Each method is one transaction that writes the change, its line in the audit trail, and what it
/// makes due to be judged; or writes nothing and throws ``ChangeRefusal``. Other errors are the store's own.
///
/// What is deleted keeps its row and history until retention ends, and is the same thing again if its identity comes back.
package protocol ManagingStore: Sendable {
    // MARK: Targets

    /// Adds all, or none: an identity that is watched already refuses with ``ChangeRefusal/someExist(_:)``.
    func addTargets(_ settings: [TargetSettings], _ change: Change) async throws -> [TargetRecord]
    /// Applies an edit to what is stored then. The edit must leave the identity.
    func changeTarget(
        _ id: TargetID, _ change: Change,
        _ edit: @escaping @Sendable (inout TargetSettings) throws(ChangeRefusal) -> Void
    ) async throws -> TargetRecord
    func removeTarget(_ id: TargetID, _ change: Change) async throws
    /// Those of some identities that are stored.
    func known(_ identities: [TargetIdentity]) async throws -> [TargetIdentity: KnownTarget]

    // MARK: Pin sets

    /// By app, then newest release first. Filters: `app`, `release`, `variant`, `managed_by`.
    func pinSets(_ request: PageRequest) async throws -> Page<PinSetRecord>
    func pinSet(_ id: PinSetID) async throws -> PinSetRecord?
    /// The targets that a pin set names, worst verdict first, at most 200.
    func targets(of pinSet: PinSetID) async throws -> [PinSetTarget]
    func addPinSet(_ definition: PinSetDefinition, _ change: Change) async throws -> PinSetRecord
    /// Adds all with the files that they were read from, or none. What is stored already refuses with
    /// ``ChangeRefusal/exists(id:)``, unless it is to be replaced: what the API made then gives way, its files too.
    func importPinSets(_ pinSets: [NewPinSet], replacing: Bool, _ change: Change) async throws -> [PinSetRecord]
    /// The files that a pin set was read from, in the order handed over; `nil` for one that is not there.
    func originals(of pinSet: PinSetID) async throws -> [HandedFile]?
    /// The pin set that has an identity, and was not removed.
    func pinSet(with identity: PinSetIdentity) async throws -> PinSetID?
    /// The definition must have the identity that is stored. The files that it was first read from stay beside it.
    func changePinSet(_ id: PinSetID, to definition: PinSetDefinition, _ change: Change) async throws -> PinSetRecord
    func removePinSet(_ id: PinSetID, _ change: Change) async throws

    // MARK: Channels and routes

    /// By name.
    func channels() async throws -> [ChannelRecord]
    func channel(_ name: String) async throws -> ChannelRecord?
    /// - Parameter urlHash: Of the URL, so that another URL is noticed without opening the seal.
    func addChannel(_ channel: StoredChannel, urlHash: [UInt8], _ change: Change) async throws -> ChannelRecord
    /// A new URL or secret enables a disabled channel again.
    func changeChannel(
        _ name: String, _ change: Change,
        _ edit: @escaping @Sendable (inout StoredChannel, _ urlHash: inout [UInt8]) throws(ChangeRefusal) -> Void
    ) async throws -> ChannelRecord
    /// Refuses while a route names it. Drops what is owed to it.
    func removeChannel(_ name: String, _ change: Change) async throws
    func routes() async throws -> [RouteRecord]
    func route(_ id: Int64) async throws -> RouteRecord?
    /// Refuses a route to a channel that does not exist.
    func addRoute(_ route: Route, _ change: Change) async throws -> RouteRecord
    func changeRoute(_ id: Int64, to route: Route, _ change: Change) async throws -> RouteRecord
    func removeRoute(_ id: Int64, _ change: Change) async throws

    // MARK: Silences and alerts

    /// Active first, then pending, then ended. Filters: `state`, `managed_by`.
    func silences(_ request: PageRequest, now: Instant) async throws -> Page<SilenceRecord>
    func silence(_ id: SilenceID, now: Instant) async throws -> SilenceRecord?
    func previewSilence(_ silence: Silence) async throws -> SilencePreview
    /// Alerts that it covers are silenced in the same transaction, those beyond some hundred hosts by the next judgement.
    func addSilence(_ silence: Silence, _ change: Change) async throws -> SilenceRecord
    func changeSilence(
        _ id: SilenceID, _ change: Change, _ edit: @escaping @Sendable (inout Silence) throws(ChangeRefusal) -> Void
    ) async throws -> SilenceRecord
    /// Ends it now; the record stays. Alerts that stand are open again and told.
    func removeSilence(_ id: SilenceID, _ change: Change) async throws
    /// Owes `alert.acknowledged` to the channels that were told of the alert.
    func acknowledge(_ id: AlertID, note: String?, _ change: Change) async throws -> AlertRecord
    func unacknowledge(_ id: AlertID, _ change: Change) async throws -> AlertRecord

    // MARK: Deliveries and events

    /// With its body.
    func delivery(_ id: Int64) async throws -> Delivery?
    /// Makes a dead or pending delivery due now, with all tries before it.
    func retryDelivery(_ id: Int64, _ change: Change) async throws -> Delivery
    func event(_ id: Int64) async throws -> EventRecord?
    /// Oldest first, at most `limit`, of those after `id`.
    func events(after id: Int64, limit: Int) async throws -> [EventRecord]
    /// The number of the newest event; 0 before the first.
    func lastEventID() async throws -> Int64

    // MARK: Tokens, sessions, audit

    /// In the order made. No filters.
    func tokens(_ request: PageRequest) async throws -> Page<TokenRecord>
    func token(_ id: Int64) async throws -> TokenRecord?
    func addToken(
        name: String, role: Role, sha256: SHA256Digest, expiresAt: Instant?, _ change: Change
    ) async throws -> TokenRecord
    /// Refuses for the last valid admin token, but to the command line. Its sessions end with it.
    func revokeToken(_ id: Int64, _ change: Change) async throws
    /// Keeps when a token was last used. Cheap enough for every request: it writes once a minute for each token.
    func tokenUsed(_ id: Int64, at now: Instant) async throws
    /// - Parameter sha256: Of the cookie's value.
    func addSession(
        sha256: SHA256Digest, token: Int64, expiresAt: Instant, _ change: Change
    ) async throws -> SessionRecord
    /// The session whose cookie's value hashes to this, expired ones included.
    func session(sha256: SHA256Digest) async throws -> SessionRecord?
    func endSession(sha256: SHA256Digest, _ change: Change) async throws
    /// Newest first. Filters: `action`, `actor` (the principal's name), `object_type`.
    func audit(_ request: PageRequest) async throws -> Page<AuditRecord>
    /// Appends a line for what leaves no other trace in the store: a scan by hand, a channel's test, a reload.
    func note(_ record: AuditRecord) async throws
}

/// What one transaction brought, told after its commit.
package struct Commit: Sendable {
    /// What may look different now to whoever reads it.
    package enum Topic: String, Sendable, CaseIterable {
        case targets, findings, alerts, deliveries, channels, routes, silences
        case pinSets = "pin_sets"
    }

    /// What the service holds beside the store, and takes up anew when it was changed.
    package enum Definition: Sendable {
        case channels, pinSets
    }

    /// In the order written.
    package var events: [EventRecord] = []
    /// Outbox rows or deliveries that became due.
    package var owed = 0
    package var topics: Set<Topic> = []
    /// Definitions that differ now from what the service goes by; how a channel fares, or a pin set is judged, is none.
    package var definitions: Set<Definition> = []
    /// Whether somebody who was let in may not be any more: a token was revoked, or a session ended.
    package var endsAccess = false
    /// Targets that came or changed, as they are, and that went, as `nil`.
    package var targets: [TargetID: Target?] = [:]

    package init() {}
    package var isEmpty: Bool {
        events.isEmpty && owed == 0 && topics.isEmpty && definitions.isEmpty && !endsAccess
            && targets.isEmpty
    }
}
