import PinwatchCore
import Synchronization

/// Tokens, sessions and events in memory, over a stub of what is read; everything else of the seam refuses.
final class EdgeStore: ManagingStore {
    struct Contents: Sendable {
        var tokens: [SHA256Digest: TokenRecord] = [:]
        var sessions: [SHA256Digest: SessionRecord] = [:]
        var events: [EventRecord] = []
        /// Of every change, in order.
        var changes: [Change] = []
        /// Pages of events that were asked for, by the id they begin after.
        var pages: [Int64] = []
        var failure: (any Error)?
    }

    private let contents = Mutex(Contents())

    func change(_ body: @Sendable (inout Contents) -> Void) { contents.withLock { body(&$0) } }
    var now: Contents { contents.withLock { $0 } }

    // MARK: Used by the edge

    func token(_ id: Int64) async throws -> TokenRecord? {
        contents.withLock { $0.tokens.values.first { $0.id == id } }
    }
    func addSession(
        sha256: SHA256Digest, token: Int64, expiresAt: Instant, _ change: Change
    ) async throws -> SessionRecord {
        try contents.withLock { contents in
            guard let record = contents.tokens.values.first(where: { $0.id == token }) else {
                throw ChangeRefusal.unknown
            }
            let session = SessionRecord(token: record, createdAt: change.at, expiresAt: expiresAt)
            contents.sessions[sha256] = session
            contents.changes.append(change)
            return session
        }
    }
    func session(sha256: SHA256Digest) async throws -> SessionRecord? {
        contents.withLock { contents in
            guard var session = contents.sessions[sha256] else { return nil }
            session.token = contents.tokens.values.first { $0.id == session.token.id } ?? session.token
            return session
        }
    }
    func tokenUsed(_ id: Int64, at now: Instant) async throws {}
    func endSession(sha256: SHA256Digest, _ change: Change) async throws {
        contents.withLock { contents in
            contents.sessions[sha256] = nil
            contents.changes.append(change)
        }
    }
    func events(after id: Int64, limit: Int) async throws -> [EventRecord] {
        try contents.withLock { contents in
            if let failure = contents.failure { throw failure }
            contents.pages.append(id)
            return Array(contents.events.filter { $0.id > id }.prefix(limit))
        }
    }
    func lastEventID() async throws -> Int64 { contents.withLock { $0.events.last?.id ?? 0 } }

    // MARK: Not used by the edge

    private func refused<Value>(_: Value.Type = Value.self) throws -> Value { throw ChangeRefusal.unknown }
    typealias Edit<Value> = @Sendable (inout Value) throws(ChangeRefusal) -> Void

    func addTargets(_: [TargetSettings], _: Change) async throws -> [TargetRecord] { try refused() }
    func changeTarget(_: TargetID, _: Change, _: @escaping Edit<TargetSettings>) async throws -> TargetRecord {
        try refused()
    }
    func removeTarget(_: TargetID, _: Change) async throws { throw ChangeRefusal.unknown }
    func known(_: [TargetIdentity]) async throws -> [TargetIdentity: KnownTarget] { try refused() }
    func pinSets(_: PageRequest) async throws -> Page<PinSetRecord> { try refused() }
    func pinSet(_: PinSetID) async throws -> PinSetRecord? { try refused() }
    func targets(of _: PinSetID) async throws -> [PinSetTarget] { try refused() }
    func addPinSet(_: PinSetDefinition, _: Change) async throws -> PinSetRecord { try refused() }
    func importPinSets(_: [NewPinSet], replacing: Bool, _: Change) async throws -> [PinSetRecord] { try refused() }
    func originals(of _: PinSetID) async throws -> [HandedFile]? { try refused() }
    func pinSet(with _: PinSetIdentity) async throws -> PinSetID? { try refused() }
    func changePinSet(_: PinSetID, to _: PinSetDefinition, _: Change) async throws -> PinSetRecord { try refused() }
    func removePinSet(_: PinSetID, _: Change) async throws { throw ChangeRefusal.unknown }
    func channels() async throws -> [ChannelRecord] { try refused() }
    func channel(_: String) async throws -> ChannelRecord? { try refused() }
    func addChannel(_: StoredChannel, urlHash _: [UInt8], _: Change) async throws -> ChannelRecord { try refused() }
    func changeChannel(
        _: String, _: Change,
        _: @escaping @Sendable (inout StoredChannel, _ urlHash: inout [UInt8]) throws(ChangeRefusal) -> Void
    ) async throws -> ChannelRecord { try refused() }
    func removeChannel(_: String, _: Change) async throws { throw ChangeRefusal.unknown }
    func routes() async throws -> [RouteRecord] { try refused() }
    func route(_: Int64) async throws -> RouteRecord? { try refused() }
    func addRoute(_: PinwatchCore.Route, _: Change) async throws -> RouteRecord { try refused() }
    func changeRoute(_: Int64, to _: PinwatchCore.Route, _: Change) async throws -> RouteRecord { try refused() }
    func removeRoute(_: Int64, _: Change) async throws { throw ChangeRefusal.unknown }
    func silences(_: PageRequest, now _: Instant) async throws -> Page<SilenceRecord> { try refused() }
    func silence(_: SilenceID, now _: Instant) async throws -> SilenceRecord? { try refused() }
    func previewSilence(_: Silence) async throws -> SilencePreview { try refused() }
    func addSilence(_: Silence, _: Change) async throws -> SilenceRecord { try refused() }
    func changeSilence(_: SilenceID, _: Change, _: @escaping Edit<Silence>) async throws -> SilenceRecord {
        try refused()
    }
    func removeSilence(_: SilenceID, _: Change) async throws { throw ChangeRefusal.unknown }
    func acknowledge(_: AlertID, note _: String?, _: Change) async throws -> AlertRecord { try refused() }
    func unacknowledge(_: AlertID, _: Change) async throws -> AlertRecord { try refused() }
    func delivery(_: Int64) async throws -> Delivery? { try refused() }
    func retryDelivery(_: Int64, _: Change) async throws -> Delivery { try refused() }
    func event(_: Int64) async throws -> EventRecord? { try refused() }
    func tokens(_: PageRequest) async throws -> Page<TokenRecord> { try refused() }
    func addToken(
        name _: String, role _: Role, sha256 _: SHA256Digest, expiresAt _: Instant?, _: Change
    ) async throws -> TokenRecord { try refused() }
    func revokeToken(_: Int64, _: Change) async throws { throw ChangeRefusal.unknown }
    func audit(_: PageRequest) async throws -> Page<AuditRecord> { try refused() }
    func note(_: AuditRecord) async throws { throw ChangeRefusal.unknown }
}
