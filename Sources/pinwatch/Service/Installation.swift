internal import PinwatchAlert
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchScan
internal import PinwatchStore
internal import PinwatchTLS
internal import Synchronization

/// The running service as the API and signals see it: its configuration, and what can be done beside the store.
///
/// Reloads happen one after another.
actor Installation: Administration {
    private let file: ConfigurationFile
    private let rooms: Rooms
    /// What was asked for last; each waits for the one before, since an actor lets others in at every wait.
    private var last: Task<Void, Never>?
    /// What the courier was given last.
    private var used: [Channel]?
    /// `nil` until the port is bound, which its links need.
    private var courier: Courier?
    /// Channels whose seals no configured key opens.
    private var sealed: Set<String> = []
    /// What of imported pin files was told already.
    private var remarked: Set<Remark> = []
    private nonisolated let vault: ChannelVault
    /// What is in force, behind a lock for those who cannot wait for the actor.
    private nonisolated let standing: Mutex<SettingsRecord>

    /// What of the service a new configuration reaches.
    struct Rooms: Sendable {
        let store: Store
        let scanner: Scanner
        let monitor: Monitor
        let book: ChainBook
    }

    /// - Throws: ``SealError`` for a `secret_key` that is none, ``UsageError`` without a place for the key of URLs.
    init(_ rooms: Rooms, file: ConfigurationFile, configuration: Configuration) throws {
        self.file = file
        self.rooms = rooms
        vault = try ChannelVault(
            keys: configuration.secretKeys, mark: try URLMark(beside: configuration.database))
        standing = Mutex(
            SettingsRecord(configuration: configuration, file: file.path, loadedAt: Machine.now(), restartNeeded: []))
    }

    // MARK: Configuration

    func settings() async -> SettingsRecord { standing.withLock(\.self) }

    private nonisolated var configuration: Configuration { standing.withLock(\.configuration) }

    /// The scan section in force.
    nonisolated var scanSettings: Configuration.ScanSettings { standing.withLock(\.configuration.scan) }

    /// What the scanner has to do now.
    nonisolated var scannerLoad: ScannerLoad { rooms.scanner.load }

    /// How revocation is looked at now, and what no connection may reach.
    nonisolated var revocation: Configuration.Revocation { standing.withLock(\.configuration.scan.revocation) }
    nonisolated var denyAddresses: [IPNetwork] { standing.withLock(\.configuration.scan.denyAddresses) }
    /// The heartbeat in force.
    nonisolated var heartbeat: Configuration.Heartbeat? { standing.withLock(\.configuration.heartbeat) }

    /// What a target is shown that asks for a client certificate.
    nonisolated func clientCertificate(of target: TargetIdentity) -> ClientCertificate? {
        standing.withLock { $0.configuration.clientCertificates[target] }
    }

    /// The names of the trust stores in force.
    nonisolated var trustStoreNames: Set<String> { Set(configuration.trustStores.keys) }

    func reload(_ change: Change) async throws -> ReloadReport {
        try await serially { try await self.readAgain(change) }
    }

    private func serially<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let before = last
        let task = Task {
            await before?.value
            return try await work()
        }
        last = Task { _ = await task.result }
        return try await task.value
    }

    private func readAgain(_ change: Change) async throws -> ReloadReport {
        let wanted: Configuration
        do {
            wanted = try file.load()
        } catch {
            throw ReloadFaults(error.list)
        }
        let reload = configuration.reloaded(as: wanted)
        let dangling = try await dangling(reload.inForce)
        guard dangling.isEmpty else { throw ReloadFaults(dangling) }
        let report = ReloadReport(
            changes: reload.changes, restartNeeded: reload.restartNeeded, loadedAt: change.at)
        let line = AuditRecord(
            change, .settingsReload, AuditObject(type: "settings", id: "settings", name: file.path),
            changes: report.audited)
        try await takeOver(reload.inForce, restartNeeded: reload.restartNeeded, noting: line, at: change.at)
        return report
    }

    /// What came by the API and names what the configuration no longer has: nobody would be told, or nothing be judged.
    var dangling: [Problem] {
        get async throws { try await dangling(configuration) }
    }

    private func dangling(_ configuration: Configuration) async throws -> [Problem] {
        var faults: [Problem] = []
        let stored = try await rooms.store.channels().map(\.channel)
        let channels = Set(configuration.channels.map(\.name) + stored.filter { $0.managedBy == .api }.map(\.name))
        for record in try await rooms.store.routes() where record.managedBy == .api {
            for name in record.route.channels where !channels.contains(name) {
                faults.append(
                    Problem(
                        file: file.path, mark: nil,
                        message: "channel \(name) is gone from it, but route \(record.id), made by the API, names it; "
                            + "change or delete that route first"))
            }
        }
        for (name, who) in try await rooms.store.trustStoresOfAPI() where configuration.trustStores[name] == nil {
            faults.append(
                Problem(
                    file: file.path, mark: nil,
                    message: "trust store \(name) is gone from it, but \(who), made by the API, names it; change that "
                        + "first"))
        }
        return faults
    }

    /// Does what follows once a configuration is in force; what fails of it is told, and changes nothing of that.
    private func afterwards(_ otherwise: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            Log.error(.configuration, "is in force, but \(otherwise): \(error)")
        }
    }

    /// Puts a configuration in force, at the start and at each reload. The store is the last that can refuse it; what
    /// fails after that leaves the configuration in force.
    @discardableResult
    func takeOver(
        _ configuration: Configuration, restartNeeded: [String] = [], noting line: AuditRecord? = nil,
        at now: Instant
    ) async throws -> Synchronized {
        let trustStores = try TrustStore.all(of: configuration)
        let credentials = try rooms.scanner.credentials(configuration.clientCertificates)
        let seal = try ChannelVault.seal(keys: configuration.secretKeys)
        let known = try await synchronize(configuration, trustStores: trustStores, noting: line, at: now)
        rooms.scanner.use(
            ScannerSettings(configuration.scan, loops: Machine.processors), credentials: credentials)
        vault.use(seal)
        let record = SettingsRecord(
            configuration: configuration, file: file.path, loadedAt: now, restartNeeded: restartNeeded)
        standing.withLock { $0 = record }
        tell(configuration.remarks)
        warnOfEndedCertificates(of: configuration, at: now)
        await lookAgainAtPinSets()
        await afterwards("channels are sealed under the older secret_key still") { [vault] in
            let sealed = try await self.rooms.store.reseal(Change(by: .config, at: now)) { try vault.resealed($0) }
            if sealed > 0 { Log.info(.configuration, "\(sealed) channels were sealed under the newest secret_key") }
        }
        await afterwards("the courier goes on with the channels before") { try await self.lookAgainAtChannels() }
        return known
    }

    private nonisolated func warnOfEndedCertificates(of configuration: Configuration, at now: Instant) {
        for target in configuration.targets {
            guard let shown = configuration.clientCertificates[target.identity], shown.hasEnded(at: now) else {
                continue
            }
            Log.warning(
                .configuration, "the client certificate of \(target.identity.label), \(shown.words(at: now))")
        }
    }

    /// Logs what imported pin files leave out, each once, and of very many the first.
    private func tell(_ remarks: [Remark]) {
        let new = remarks.filter { !remarked.contains($0) }
        remarked = Set(remarks)
        for remark in new.prefix(100) { Log.info(.configuration, remark.description) }
        if new.count > 100 { Log.info(.configuration, "and \(new.count - 100) more of pin files; see pinwatch import") }
    }

    /// Judging goes on meanwhile: the new trust stores are there before a target or pin set can name them, and the old
    /// ones until none does.
    private func synchronize(
        _ configuration: Configuration, trustStores: [String: TrustStore], noting line: AuditRecord?, at now: Instant
    ) async throws -> Synchronized {
        let before = rooms.book.trustStores
        rooms.book.use(before.merging(trustStores) { $1 })
        // The commit tells which targets have another period, and the schedule asks for the period in force then.
        rooms.monitor.use(MonitorRules(configuration, ownTrustStores: await rooms.store.ownTrustStores()))
        do {
            let known = try await rooms.store.synchronize(
                configuration, trustStores: trustStores.mapValues(\.digest),
                urlHash: { [vault] in vault.urlHash($0.url) }, readPinSet: Self.storedPinSet,
                noting: line, now: now)
            rooms.book.use(trustStores)
            return known
        } catch {
            rooms.book.use(before)
            rooms.monitor.use(
                MonitorRules(self.configuration, ownTrustStores: await rooms.store.ownTrustStores()))
            throw error
        }
    }

    /// Takes up what the API changed of channels and pin sets.
    func lookAgain() async throws {
        try await serially {
            await self.lookAgainAtPinSets()
            try await self.lookAgainAtChannels()
        }
    }

    /// Has the monitor build paths to the trust stores that pin sets name now.
    private func lookAgainAtPinSets() async {
        let ownTrustStores = await rooms.store.ownTrustStores()
        rooms.monitor.use(MonitorRules(configuration, ownTrustStores: ownTrustStores))
    }

    // MARK: Channels

    func begin(_ courier: Courier) async throws {
        self.courier = courier
        try await lookAgain()
    }

    private func lookAgainAtChannels() async throws {
        guard let courier else { return }
        let stored = try await rooms.store.sealedChannels()
        var (channels, closed) = (configuration.channels, Set<String>())
        for channel in stored {
            do {
                channels.append(try vault.opened(channel))
            } catch {
                closed.insert(channel.name)
                if !sealed.contains(channel.name) {
                    Log.warning(.courier, "channel \(channel.name) is not used: \(error)")
                }
            }
        }
        sealed = closed
        guard channels != used else { return }
        try courier.use(channels: channels)
        used = channels
    }

    func test(channel name: String) async throws -> Attempt {
        guard let courier else { throw ChangeRefusal.conflict("The service is starting. Try again in a moment.") }
        // The courier may not have heard of a channel that was just made.
        try await lookAgain()
        if let attempt = await courier.test(channel: name) { return attempt }
        guard let stored = try await rooms.store.channel(name)?.channel else { throw ChangeRefusal.unknown }
        do {
            _ = try vault.opened(stored)
        } catch {
            throw ChangeRefusal.conflict("The channel's secrets cannot be opened: \(error).")
        }
        throw ChangeRefusal.conflict("The channel was changed a moment ago. Try again.")
    }

    func channelOutlooks() async -> [String: ChannelOutlook] {
        var outlooks: [String: ChannelOutlook] = [:]
        for (name, health) in await courier?.health() ?? [:] {
            outlooks[name] = ChannelOutlook(pausedUntil: health.paused ? health.pausedUntil : nil)
        }
        for name in sealed { outlooks[name] = ChannelOutlook(isSealed: true) }
        return outlooks
    }

    nonisolated func seal(_ draft: ChannelDraft) throws(ChangeRefusal) -> (channel: StoredChannel, urlHash: [UInt8]) {
        try vault.sealed(draft)
    }

    // MARK: What needs no configuration

    nonisolated func scan(_ target: Target, wait: Duration) async throws -> [Observation]? {
        try await rooms.monitor.scan(target, within: wait)
    }

    nonisolated func pinSet(fromSource text: String) throws(TextFaults) -> PinSetDefinition {
        do { try KeyMaterialReader.refusePrivateKey(Array(text.utf8)) } catch {
            throw TextFaults([Problem(file: "source", mark: nil, message: error.description)])
        }
        return try Self.pinSet(text, trustStores: trustStoreNames)
    }

    /// One that was taken before, whatever trust stores there are now.
    @Sendable private static func storedPinSet(_ text: String) throws(TextFaults) -> PinSetDefinition {
        try pinSet(text, trustStores: nil)
    }

    private static func pinSet(_ text: String, trustStores: Set<String>?) throws(TextFaults) -> PinSetDefinition {
        do throws(InputProblems) {
            return try PinFileDecoder.definition(
                fromAPI: text, trustStores: trustStores, resources: InputFile.resources)
        } catch {
            throw TextFaults(error.list)
        }
    }

    nonisolated func newWebhookSecret() -> Secret { FreshSecret.webhookKey() }
    nonisolated func newToken() -> Secret { FreshSecret.token() }
    nonisolated func newSessionID() -> Secret { FreshSecret.sessionID() }
    nonisolated var timeZones: any TimeZones { ConfigurationFile.zones }
}

extension ReloadReport {
    /// What the audit trail keeps: one field, a list of what became of each thing. Two things of a section may have the
    /// same name, so they are no members.
    fileprivate var audited: JSON {
        guard !changes.isEmpty else { return .object([]) }
        let things = changes.map { item in
            JSON.object([
                ("section", .string(item.section)), ("name", .string(item.name)),
                ("what", .string(item.what.rawValue)), ("detail", .string(item.detail)),
            ])
        }
        return .object([("configuration", .object([("from", .null), ("to", .array(things))]))])
    }
}

extension TrustStore {
    /// The trust stores that a configuration names.
    fileprivate static func all(of configuration: Configuration) throws -> [String: TrustStore] {
        var stores: [String: TrustStore] = [:]
        for (name, source) in configuration.trustStores {
            switch source {
            case .system: stores[name] = try TrustStore.system(name: name)
            case .file(let path): stores[name] = try TrustStore(name: name, file: path)
            }
        }
        return stores
    }

    /// Of the set of anchors, whatever their order in the file.
    fileprivate var digest: SHA256Digest { Digests.sha256(anchors.map(\.fingerprint.hex).sorted().flatMap(\.utf8)) }
}
