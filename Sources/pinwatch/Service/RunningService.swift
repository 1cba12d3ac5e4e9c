internal import PinwatchAlert
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
    let isSecure: Bool
    let store: Store
    private let installation: Installation
    private let server: Server
    private let scanner: Scanner
    private let courier: Courier
    private let running: RunningFlag
    private let notice: ServiceNotice
    private let work: Work

    /// What goes on until the service stops.
    private struct Work: Sendable {
        let drive: Task<Void, Never>
        let record: Task<Void, Never>
        let delivery: Task<Void, Never>
        let following: Task<Void, Never>
        /// The server's certificate, the signs of life and looks at revocation, which stop at once.
        let attendance: [Task<Void, Never>]
    }

    /// - Parameter configuration: What `file` holds.
    static func start(
        _ configuration: Configuration, file: ConfigurationFile, publicFolder: String?
    ) async throws(UsageError) -> RunningService {
        do {
            return try await RunningService(configuration, file: file, publicFolder: publicFolder)
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)")
        }
    }

    private init(_ configuration: Configuration, file: ConfigurationFile, publicFolder: String?) async throws {
        let checkpoint = Checkpoint.fromEnvironment()
        let identity = configuration.tls.map { ServerIdentity(files: $0) }
        let certificate = try identity?.load()
        let files =
            try publicFolder.map { try StaticFiles(folder: $0, sha256: { Digests.sha256($0) }) } ?? StaticFiles()
        let relay = CommitRelay()
        let store = try await Self.open(configuration, relay: relay, checkpoint: checkpoint)
        let (running, counts, pulse, hub) = (RunningFlag(), ScanCounts(), Pulse(), EventHub())
        DescriptorLimit.raise()
        let book = ChainBook(trustStores: [:])
        let scanner = try Scanner(
            settings: ScannerSettings(configuration.scan, loops: Machine.processors), resolver: CaresResolver(),
            readFamily: { CertificateReader.keyFamily(of: $0) },
            judgeServer: { chain, trustStore, reference in
                let now = Machine.now()
                return book.assess(chain, trustStore: trustStore, now: now)?.verification(at: now, for: reference)
            }, wallClock: Machine.now)
        let monitor = Monitor(
            scanner: scanner, store: store, book: book, rules: MonitorRules(configuration), counts: counts,
            pulse: pulse, checkpoint: checkpoint)
        let installation = try Installation(
            Installation.Rooms(store: store, scanner: scanner, monitor: monitor, book: book), file: file,
            configuration: configuration)
        let revocations = RevocationCounts()
        let api = APIParts(
            store: store, installation: installation, book: book, hub: hub, running: running, counts: counts,
            revocations: revocations, files: files)
        let server = try api.serve(configuration, certificate: certificate)
        let client = try CurlClient(userAgent: "pinwatch/\(Pinwatch.version)")
        let courier = try Self.courier(
            configuration, at: server, store: store, client: client, checkpoint: checkpoint)
        api.attach(server: server, courier: courier)
        let changed = Signal()
        relay.add { commit in
            monitor.changes.add(commit.targets)
            hub.publish(commit)
            if commit.owed > 0 { courier.wake() }
            if !commit.definitions.isEmpty { changed.give() }
        }
        // Last, as it changes what is stored: nothing after it can be refused.
        let known = try await installation.takeOver(configuration, at: Machine.now())
        monitor.changes.add(known.targets)
        for fault in try await installation.dangling { Log.warning(.configuration, fault.description) }
        try await installation.begin(courier)
        book.remember(try await store.issuers())
        let clock = SteadyClock()
        let notice = ServiceNotice(environment: Machine.environment)
        let watchdog = Watchdog(notice: notice, pulse: pulse, store: store)
        let heartbeat = Heartbeat(
            settings: { installation.heartbeat }, http: { await client.send($0) }, store: store, pulse: pulse,
            clock: { clock.now() })
        let desk = RevocationDesk(
            settings: { installation.revocation }, store: store, book: book,
            sources: RevocationSources(
                RevocationFetch(http: { await client.send($0) }, denied: { installation.denyAddresses })),
            counts: revocations, clock: Machine.now)
        running.set(true)
        (self.store, self.installation, self.server, self.scanner) = (store, installation, server, scanner)
        (self.courier, self.running, self.notice) = (courier, running, notice)
        (address, isSecure) = (server.address, certificate != nil)
        work = Work(
            drive: Task { await monitor.drive { clock.now() } }, record: Task { await monitor.record() },
            delivery: Task { await courier.run() },
            following: Task { await Self.follow(changed, installation) },
            attendance: [
                Task { await identity?.follow(server) }, Task { await watchdog.run() }, Task { await heartbeat.run() },
                Task { await desk.run() },
            ])
    }

    /// Has the courier follow what the API changes of channels, and the monitor of pin sets.
    private static func follow(_ changes: Signal, _ installation: Installation) async {
        let following = Attempts("use the channels that were changed")
        for await _ in changes.stream {
            await following.once { try await installation.lookAgain() }
        }
    }

    /// Reads the configuration again because a signal asked for it, and tells what came of it.
    func reload() async {
        notice.reloading()
        defer { notice.ready("serving") }
        do {
            let report = try await installation.reload(Change(by: .signal, at: Machine.now()))
            let words = report.changes.map { "\($0.section) \($0.name) \($0.what.rawValue)" }
            Log.info(
                .configuration,
                "read again: " + (words.isEmpty ? "nothing changed" : words.joined(separator: ", ")))
            if !report.restartNeeded.isEmpty {
                Log.warning(
                    .configuration, "waits for a restart: \(report.restartNeeded.joined(separator: ", "))")
            }
        } catch let faults as ReloadFaults {
            for problem in faults.problems { Log.error(.configuration, problem.description) }
            Log.error(.configuration, "the configuration that was in force stays")
        } catch {
            Log.error(.configuration, "cannot be taken over, and the one that was in force stays: \(error)")
        }
    }

    /// In order, each stage with its limit: HTTP drains, nothing more falls due, scans meet their deadline and are
    /// recorded, the outbox settles, the database closes.
    func stop() async {
        notice.stopping()
        running.set(false)
        for task in work.attendance { task.cancel() }
        await server.stop(within: .seconds(5))
        work.drive.cancel()
        await scanner.stop(limitMilliseconds: 10_000)
        await work.drive.value
        let limit = Task {
            try await Task.sleep(for: .seconds(10))
            work.record.cancel()
        }
        await work.record.value
        limit.cancel()
        work.following.cancel()
        courier.stop()
        await work.delivery.value
        // What is under way ends by its own bounds, and may still want to write.
        for task in work.attendance { await task.value }
        do { try await store.close() } catch { Log.error(.database, "closing it failed: \(error)") }
    }

    /// - Throws: ``UsageError`` where the service would be open to all beyond loopback.
    private static func open(
        _ configuration: Configuration, relay: CommitRelay, checkpoint: @escaping @Sendable (StaticString) -> Void
    ) async throws -> Store {
        let store = try await Store.open(
            path: configuration.database,
            options: StoreOptions(
                serves: true, checkpoint: checkpoint, committed: { relay.tell($0) }, timeZones: ConfigurationFile.zones,
                suffixes: LibPSL()),
            now: Machine.now())
        try await FirstToken.adopt(in: store, path: Machine.environment(FirstToken.variable), now: Machine.now())
        let isGuarded = try await store.listTokens().contains { $0.isValid(at: Machine.now()) }
        guard configuration.listen.address.isLoopback || isGuarded else {
            try await store.close()
            throw UsageError(
                "listening on \(configuration.listen) is beyond loopback, so a token is needed first: "
                    + "pinwatch token create --name … --role admin --config FILE")
        }
        return store
    }

    private static func courier(
        _ configuration: Configuration, at server: Server, store: Store, client: CurlClient,
        checkpoint: @escaping @Sendable (StaticString) -> Void
    ) throws -> Courier {
        let idna = LibIDN2()
        let scheme = configuration.tls == nil ? "http" : "https"
        return try Courier(
            store: store, channels: [],
            links: MessageLinks(base: configuration.publicURL ?? "\(scheme)://\(server.address)"), clock: Machine.now,
            pause: { try? await Task.sleep(for: .seconds($0)) }, random: Machine.random,
            unicode: { idna.unicode($0) }, http: { await client.send($0) }, checkpoint: checkpoint,
            log: { Log.warning(.courier, $0) })
    }
}

/// Whether the pipeline runs, for `/readyz`.
final class RunningFlag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set(_ running: Bool) { value.withLock { $0 = running } }
}

/// Says that something is to be looked at again; said twice before anybody looks counts once.
final class Signal: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func give() { continuation.yield() }
}
