import PinwatchCore
import Synchronization

/// A store in memory that remembers what was changed by whom. Things of the ids that tests use are there from the start.
final class StubManagingStore: ManagingStore {
    struct Contents: Sendable {
        var targets: [TargetID: TargetRecord] = [:]
        var known: [TargetIdentity: KnownTarget] = [:]
        var pinSets: [PinSetID: PinSetRecord] = [:]
        var pinSetTargets: [PinSetTarget] = []
        var originals: [PinSetID: [HandedFile]] = [:]
        var channels: [String: ChannelRecord] = [:]
        var routes: [Int64: RouteRecord] = [:]
        var silences: [SilenceID: SilenceRecord] = [:]
        var alerts: [AlertID: AlertRecord] = [:]
        var deliveries: [Int64: Delivery] = [:]
        var events: [Int64: EventRecord] = [:]
        var tokens: [Int64: TokenRecord] = [:]
        var sessions: [SHA256Digest: SessionRecord] = [:]
        var audit: [AuditRecord] = []
        /// Thrown by every change in place of making it.
        var refusal: ChangeRefusal?
        var changes: [Change] = []
        var requests: [PageRequest] = []
    }

    private let contents: Mutex<Contents>
    init(_ contents: Contents) { self.contents = Mutex(contents) }

    var now: Contents { contents.withLock { $0 } }
    func set(_ body: @Sendable (inout Contents) -> Void) { contents.withLock { body(&$0) } }

    private func change<Result: Sendable>(
        _ change: Change, _ body: (inout Contents) throws(ChangeRefusal) -> Result
    ) throws(ChangeRefusal) -> Result {
        try contents.withLock { contents throws(ChangeRefusal) in
            if let refusal = contents.refusal { throw refusal }
            contents.changes.append(change)
            return try body(&contents)
        }
    }

    private func page<Item>(_ request: PageRequest, _ items: (Contents) -> [Item]) -> Page<Item> {
        contents.withLock { contents in
            contents.requests.append(request)
            let all = items(contents)
            return Page(items: Array(all.prefix(request.limit)), next: nil, total: all.count)
        }
    }

    /// What is there, if it has the revision that the change expects.
    private static func found<Record>(
        _ record: Record?, _ revision: (Record) -> Int64, _ change: Change
    ) throws(ChangeRefusal) -> Record {
        guard let record else { throw .unknown }
        if let expected = change.expecting, expected != revision(record) {
            throw .revised(current: revision(record))
        }
        return record
    }

    // MARK: Targets

    func addTargets(_ settings: [TargetSettings], _ change: Change) async throws -> [TargetRecord] {
        try self.change(change) { contents throws(ChangeRefusal) in
            let existing = settings.enumerated().compactMap { index, one in
                contents.known[one.identity].flatMap { known in
                    known.removed
                        ? nil
                        : ChangeRefusal.Existing(index: index, label: one.identity.label, id: known.id.text)
                }
            }
            guard existing.isEmpty else { throw .someExist(existing) }
            return settings.map { one in
                let id = contents.known[one.identity]?.id ?? TargetID(Int64(contents.known.count) + 1)
                contents.known[one.identity] = KnownTarget(id: id, removed: false)
                let record = TargetRecord(
                    target: Target(id: id, settings: one), condition: .unknown, stale: false, lastScanAt: nil,
                    openFindings: FindingCounts(), leaf: nil, revision: 1, createdAt: change.at)
                contents.targets[id] = record
                return record
            }
        }
    }

    func changeTarget(
        _ id: TargetID, _ change: Change,
        _ edit: @escaping @Sendable (inout TargetSettings) throws(ChangeRefusal) -> Void
    ) async throws -> TargetRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            var record = try Self.found(contents.targets[id], \.revision, change)
            try edit(&record.target.settings)
            record.revision += 1
            contents.targets[id] = record
            return record
        }
    }

    func removeTarget(_ id: TargetID, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in
            let record = try Self.found(contents.targets[id], \.revision, change)
            contents.known[record.target.identity] = KnownTarget(id: id, removed: true)
            contents.targets[id] = nil
        }
    }

    func known(_ identities: [TargetIdentity]) async throws -> [TargetIdentity: KnownTarget] {
        contents.withLock { contents in contents.known.filter { identities.contains($0.key) } }
    }

    // MARK: Pin sets

    func pinSets(_ request: PageRequest) async throws -> Page<PinSetRecord> {
        page(request) { $0.pinSets.values.sorted { $0.pinSet.id < $1.pinSet.id } }
    }
    func pinSet(_ id: PinSetID) async throws -> PinSetRecord? { now.pinSets[id] }
    func targets(of pinSet: PinSetID) async throws -> [PinSetTarget] { now.pinSetTargets }

    func addPinSet(_ definition: PinSetDefinition, _ change: Change) async throws -> PinSetRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            if let known = contents.pinSets.values.first(where: { $0.pinSet.identity == definition.identity }) {
                throw .exists(id: known.pinSet.id.text)
            }
            let id = PinSetID(Int64(contents.pinSets.count) + 1)
            let record = PinSetRecord(
                pinSet: PinSet(id: id, definition: definition), revision: 1, createdAt: change.at,
                updatedAt: change.at, targetCount: 0, verdicts: [:])
            contents.pinSets[id] = record
            return record
        }
    }

    func importPinSets(
        _ pinSets: [NewPinSet], replacing: Bool, _ change: Change
    ) async throws -> [PinSetRecord] {
        try self.change(change) { contents throws(ChangeRefusal) in
            var records: [PinSetRecord] = []
            for new in pinSets {
                let known = contents.pinSets.values.first { $0.pinSet.identity == new.definition.identity }
                if let known, !replacing { throw .exists(id: known.pinSet.id.text) }
                let id = known?.pinSet.id ?? PinSetID(Int64(contents.pinSets.count) + 1)
                let record = PinSetRecord(
                    pinSet: PinSet(id: id, definition: new.definition), revision: (known?.revision ?? 0) + 1,
                    createdAt: change.at, updatedAt: change.at, targetCount: 0, verdicts: [:],
                    hasOriginals: !new.originals.isEmpty)
                contents.pinSets[id] = record
                contents.originals[id] = new.originals
                records.append(record)
            }
            return records
        }
    }

    func originals(of pinSet: PinSetID) async throws -> [HandedFile]? {
        now.pinSets[pinSet].map { _ in now.originals[pinSet] ?? [] }
    }

    func pinSet(with identity: PinSetIdentity) async throws -> PinSetID? {
        now.pinSets.values.first { $0.pinSet.identity == identity }?.pinSet.id
    }

    func changePinSet(
        _ id: PinSetID, to definition: PinSetDefinition, _ change: Change
    ) async throws -> PinSetRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            var record = try Self.found(contents.pinSets[id], \.revision, change)
            guard record.pinSet.identity == definition.identity else {
                throw .invalid(field: "source", message: "names another release")
            }
            record.pinSet = PinSet(id: id, definition: definition)
            record.revision += 1
            contents.pinSets[id] = record
            return record
        }
    }

    func removePinSet(_ id: PinSetID, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in
            _ = try Self.found(contents.pinSets[id], \.revision, change)
            contents.pinSets[id] = nil
        }
    }

    // MARK: Channels and routes

    func channels() async throws -> [ChannelRecord] { now.channels.values.sorted { $0.channel.name < $1.channel.name } }
    func channel(_ name: String) async throws -> ChannelRecord? { now.channels[name] }

    func addChannel(_ channel: StoredChannel, urlHash: [UInt8], _ change: Change) async throws -> ChannelRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            if contents.channels[channel.name] != nil { throw .exists(id: channel.name) }
            let record = channelRecord(channel, at: change.at)
            contents.channels[channel.name] = record
            return record
        }
    }

    func changeChannel(
        _ name: String, _ change: Change,
        _ edit: @escaping @Sendable (inout StoredChannel, _ urlHash: inout [UInt8]) throws(ChangeRefusal) -> Void
    ) async throws -> ChannelRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            var record = try Self.found(contents.channels[name], \.revision, change)
            var hash: [UInt8] = [1]
            try edit(&record.channel, &hash)
            record.revision += 1
            contents.channels[name] = record
            return record
        }
    }

    func removeChannel(_ name: String, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in
            _ = try Self.found(contents.channels[name], \.revision, change)
            contents.channels[name] = nil
        }
    }

    func routes() async throws -> [RouteRecord] { now.routes.values.sorted { $0.id < $1.id } }
    func route(_ id: Int64) async throws -> RouteRecord? { now.routes[id] }

    func addRoute(_ route: PinwatchCore.Route, _ change: Change) async throws -> RouteRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            let id = Int64(contents.routes.count) + 1
            let record = RouteRecord(id: id, route: route, managedBy: .api, revision: 1)
            contents.routes[id] = record
            return record
        }
    }

    func changeRoute(_ id: Int64, to route: PinwatchCore.Route, _ change: Change) async throws -> RouteRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            var record = try Self.found(contents.routes[id], \.revision, change)
            record.route = route
            record.revision += 1
            contents.routes[id] = record
            return record
        }
    }

    func removeRoute(_ id: Int64, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in
            _ = try Self.found(contents.routes[id], \.revision, change)
            contents.routes[id] = nil
        }
    }
}

// MARK: Silences and alerts

extension StubManagingStore {
    func silences(_ request: PageRequest, now: Instant) async throws -> Page<SilenceRecord> {
        page(request) { $0.silences.values.sorted { $0.id < $1.id } }
    }
    func silence(_ id: SilenceID, now: Instant) async throws -> SilenceRecord? { self.now.silences[id] }

    func previewSilence(_ silence: Silence) async throws -> SilencePreview {
        let alerts = Array(now.alerts.values)
        return SilencePreview(
            alerts: alerts, alertCount: alerts.count, targets: [(TargetID(1), "api.example.com")], targetCount: 1)
    }

    func addSilence(_ silence: Silence, _ change: Change) async throws -> SilenceRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            let id = SilenceID(Int64(contents.silences.count) + 1)
            let record = SilenceRecord(
                id: id, silence: silence, createdBy: change.principal.name, createdAt: change.at, managedBy: .api,
                revision: 1, state: .active, alerts: 0)
            contents.silences[id] = record
            return record
        }
    }

    func changeSilence(
        _ id: SilenceID, _ change: Change, _ edit: @escaping @Sendable (inout Silence) throws(ChangeRefusal) -> Void
    ) async throws -> SilenceRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            var record = try Self.found(contents.silences[id], \.revision, change)
            try edit(&record.silence)
            record.revision += 1
            contents.silences[id] = record
            return record
        }
    }

    func removeSilence(_ id: SilenceID, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in
            _ = try Self.found(contents.silences[id], \.revision, change)
            contents.silences[id]?.state = .ended
        }
    }

    func acknowledge(_ id: AlertID, note: String?, _ change: Change) async throws -> AlertRecord {
        try alert(id, change) { alert in
            alert.state = .acknowledged
            alert.acknowledged = .init(by: change.principal.name, at: change.at, note: note)
        }
    }

    func unacknowledge(_ id: AlertID, _ change: Change) async throws -> AlertRecord {
        try alert(id, change) { alert in
            alert.state = .open
            alert.acknowledged = nil
        }
    }

    private func alert(_ id: AlertID, _ change: Change, _ edit: (inout Alert) -> Void) throws -> AlertRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            guard var record = contents.alerts[id] else { throw .unknown }
            edit(&record.alert)
            contents.alerts[id] = record
            return record
        }
    }

    // MARK: Deliveries and events

    func delivery(_ id: Int64) async throws -> Delivery? { now.deliveries[id] }

    func retryDelivery(_ id: Int64, _ change: Change) async throws -> Delivery {
        try self.change(change) { contents throws(ChangeRefusal) in
            guard var delivery = contents.deliveries[id] else { throw .unknown }
            guard delivery.state == .dead || delivery.state == .pending else {
                throw .conflict("This delivery was delivered already.")
            }
            delivery.state = .pending
            delivery.nextAttemptAt = change.at
            contents.deliveries[id] = delivery
            return delivery
        }
    }

    func event(_ id: Int64) async throws -> EventRecord? { now.events[id] }
    func events(after id: Int64, limit: Int) async throws -> [EventRecord] {
        Array(now.events.values.filter { $0.id > id }.sorted { $0.id < $1.id }.prefix(limit))
    }
    func lastEventID() async throws -> Int64 { now.events.keys.max() ?? 0 }

    // MARK: Tokens, sessions, audit

    func tokens(_ request: PageRequest) async throws -> Page<TokenRecord> {
        page(request) { $0.tokens.values.sorted { $0.id < $1.id } }
    }
    func token(_ id: Int64) async throws -> TokenRecord? { now.tokens[id] }

    func addToken(
        name: String, role: Role, sha256: SHA256Digest, expiresAt: Instant?, _ change: Change
    ) async throws -> TokenRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            let record = TokenRecord(
                id: Int64(contents.tokens.count) + 1, name: name, role: role, createdAt: change.at,
                expiresAt: expiresAt, revokedAt: nil)
            contents.tokens[record.id] = record
            return record
        }
    }

    func revokeToken(_ id: Int64, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in
            guard contents.tokens[id] != nil else { throw .unknown }
            contents.tokens[id]?.revokedAt = change.at
        }
    }

    func addSession(
        sha256: SHA256Digest, token: Int64, expiresAt: Instant, _ change: Change
    ) async throws -> SessionRecord {
        try self.change(change) { contents throws(ChangeRefusal) in
            guard let token = contents.tokens[token] else { throw .unknown }
            let session = SessionRecord(token: token, createdAt: change.at, expiresAt: expiresAt)
            contents.sessions[sha256] = session
            return session
        }
    }

    func session(sha256: SHA256Digest) async throws -> SessionRecord? { now.sessions[sha256] }

    func tokenUsed(_ id: Int64, at now: Instant) async throws {}
    func endSession(sha256: SHA256Digest, _ change: Change) async throws {
        try self.change(change) { contents throws(ChangeRefusal) in contents.sessions[sha256] = nil }
    }

    func audit(_ request: PageRequest) async throws -> Page<AuditRecord> { page(request) { $0.audit } }
    func note(_ record: AuditRecord) async throws {
        contents.withLock { contents in
            var record = record
            record.id = Int64(contents.audit.count) + 1
            contents.audit.append(record)
        }
    }
}

/// A channel as it is stored that never sent anything.
func channelRecord(_ channel: StoredChannel, at created: Instant) -> ChannelRecord {
    ChannelRecord(
        channel: channel, revision: 1, createdAt: created, disabledAt: nil, failures: 0, lastError: nil,
        lastDeliveryAt: nil)
}
