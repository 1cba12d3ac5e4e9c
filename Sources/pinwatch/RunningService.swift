internal import PinwatchAlert
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchHTTP
internal import PinwatchNames
internal import PinwatchScan
internal import PinwatchStore
internal import PinwatchTLS
internal import Synchronization

/// The service with all its rooms wired: the one place where they meet.
struct RunningService: Sendable {
    let address: ListenAddress
    private let server: Server
    private let scanner: Scanner
    private let courier: Courier
    let store: Store
    private let drive: Task<Void, Never>
    private let record: Task<Void, Never>
    private let delivery: Task<Void, Never>
    private let running: RunningFlag

    static func start(
        _ configuration: Configuration, publicFolder: String?
    ) async throws(UsageError) -> RunningService {
        do {
            return try await wired(configuration, publicFolder: publicFolder)
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func wired(_ configuration: Configuration, publicFolder: String?) async throws -> RunningService {
        let checkpoint = Checkpoint.fromEnvironment()
        let log: @Sendable (String) -> Void = { Terminal.log($0, at: Machine.now()) }
        let trustStores = try trustStores(configuration)
        let files =
            try publicFolder.map { try StaticFiles(folder: $0, sha256: { Digests.sha256($0) }) } ?? StaticFiles()
        let store = try await open(configuration, checkpoint: checkpoint)
        let (running, counts) = (RunningFlag(), ScanCounts())
        DescriptorLimit.raise()
        let scanner = try Scanner(
            settings: ScannerSettings(configuration.scan, loops: Machine.processors), resolver: CaresResolver(),
            readFamily: { CertificateReader.keyFamily(of: $0) }, wallClock: Machine.now)
        let server = try serve(
            configuration, store: store, files: files, running: running, counts: counts, log: log)
        let courier = try courier(configuration, at: server.address, store: store, checkpoint: checkpoint, log: log)
        // Last, as it changes what is stored: nothing after it can be refused.
        let known = try await store.synchronize(
            configuration, trustStores: trustStores.mapValues(anchorDigest),
            urlHash: { Digests.sha256(Array($0.url.revealed.utf8)).bytes }, readPinSet: Self.pinSet, now: Machine.now())
        let monitor = Monitor(
            scanner: scanner, store: store, book: ChainBook(trustStores: trustStores),
            periodSeconds: configuration.scan.periodSeconds,
            ownTrustStores: Set(known.pinSets.compactMap(\.definition.trustStore)),
            retention: configuration.retention, counts: counts, owe: { courier.wake() }, checkpoint: checkpoint)
        let clock = SteadyClock()
        running.set(true)
        return RunningService(
            address: server.address, server: server, scanner: scanner, courier: courier, store: store,
            drive: Task { await monitor.drive(known.targets) { clock.now() } }, record: Task { await monitor.record() },
            delivery: Task { await courier.run() }, running: running)
    }

    /// In order, each stage with its limit: HTTP drains, nothing more falls due, scans meet their deadline and are
    /// recorded, the outbox settles, the database closes.
    func stop() async {
        running.set(false)
        await server.stop(within: .seconds(5))
        drive.cancel()
        await scanner.stop(limitMilliseconds: 10_000)
        await drive.value
        let limit = Task {
            try await Task.sleep(for: .seconds(10))
            record.cancel()
        }
        await record.value
        limit.cancel()
        courier.stop()
        await delivery.value
        do { try await store.close() } catch { Terminal.log("error closing the database: \(error)", at: Machine.now()) }
    }

    /// - Throws: ``UsageError`` where the service would be open to all beyond loopback.
    private static func open(
        _ configuration: Configuration, checkpoint: @escaping @Sendable (StaticString) -> Void
    ) async throws -> Store {
        let store = try await Store.open(
            path: configuration.database,
            options: StoreOptions(
                serves: true, checkpoint: checkpoint),
            now: Machine.now())
        let isGuarded = try await store.listTokens().contains { $0.isValid(at: Machine.now()) }
        guard configuration.listen.address.isLoopback || isGuarded else {
            try await store.close()
            throw UsageError(
                "listening on \(configuration.listen) is beyond loopback, so a token is needed first: "
                    + "pinwatch token create --name … --role admin --config FILE")
        }
        return store
    }

    private static func trustStores(_ configuration: Configuration) throws -> [String: TrustStore] {
        var stores: [String: TrustStore] = [:]
        for (name, source) in configuration.trustStores {
            switch source {
            case .system: stores[name] = try TrustStore.system(name: name)
            case .file(let path): stores[name] = try TrustStore(name: name, file: path)
            }
        }
        return stores
    }

    /// The stored text of a pin set that came by the API, which names no files.
    @Sendable private static func pinSet(_ source: String) throws(TextFaults) -> PinSetDefinition {
        let reader = PinFileDecoder(sources: .fileSystem(environment: { _ in nil })) { _ throws(HostProblem) in
            throw HostProblem("a pin set that comes by the API names no files")
        }
        do {
            return try reader.definition(from: Array(source.utf8), file: "source", folder: "/")
        } catch {
            throw TextFaults(error.list)
        }
    }

    /// Of the set of anchors, whatever their order in the file.
    private static func anchorDigest(_ trustStore: TrustStore) -> SHA256Digest {
        Digests.sha256(trustStore.anchors.map(\.fingerprint.hex).sorted().flatMap(\.utf8))
    }

    private static func serve(
        _ configuration: Configuration, store: Store, files: StaticFiles, running: RunningFlag, counts: ScanCounts,
        log: @escaping @Sendable (String) -> Void
    ) throws -> Server {
        let service = Service(
            ServiceContext(
                store: store, listen: configuration.listen, publicURL: configuration.publicURL,
                version: Pinwatch.version, defaultPeriodSeconds: configuration.scan.periodSeconds,
                addressPolicy: configuration.scan.addresses, idna: LibIDN2(), clock: Machine.now,
                sha256: { Digests.sha256($0) },
                certificateJSON: { CertificateReader.read($0).json(der: $0.der) },
                ready: { running.isSet ? nil : "the scanner is not running" }, metrics: { counts.families },
                errorID: { Hex.text(Machine.random(8)) }, log: log),
            files: files)
        return try Server(
            listen: configuration.listen, threads: min(Machine.processors, 8),
            respond: { await service.respond(to: $0) },
            refuse: { service.refuse($0) })
    }

    private static func courier(
        _ configuration: Configuration, at address: ListenAddress, store: Store,
        checkpoint: @escaping @Sendable (StaticString) -> Void, log: @escaping @Sendable (String) -> Void
    ) throws -> Courier {
        let client = try CurlClient(userAgent: "pinwatch/\(Pinwatch.version)")
        let idna = LibIDN2()
        return try Courier(
            store: store, channels: configuration.channels,
            links: MessageLinks(base: configuration.publicURL ?? "http://\(address)"), clock: Machine.now,
            pause: { try? await Task.sleep(for: .seconds($0)) }, random: Machine.random,
            unicode: { idna.unicode($0) }, http: { await client.send($0) }, checkpoint: checkpoint, log: log)
    }
}

/// Whether the pipeline runs, for `/readyz`.
final class RunningFlag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set(_ running: Bool) { value.withLock { $0 = running } }
}
