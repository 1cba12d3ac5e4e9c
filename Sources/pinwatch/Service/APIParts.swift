internal import PinwatchAlert
internal import PinwatchCore
internal import PinwatchHTTP
internal import PinwatchNames
internal import PinwatchStore
internal import PinwatchTLS
internal import Synchronization

/// What the API and the dashboard are served from.
struct APIParts: Sendable {
    let store: Store
    let installation: Installation
    let book: ChainBook
    let hub: EventHub
    let running: RunningFlag
    let counts: ScanCounts
    let revocations: RevocationCounts
    let files: StaticFiles
    private let late = Late()

    /// What is there only once the port is bound.
    private final class Late: Sendable {
        private let value = Mutex<(server: Server, courier: Courier)?>(nil)
        var parts: (server: Server, courier: Courier)? { value.withLock { $0 } }
        func set(_ server: Server, _ courier: Courier) { value.withLock { $0 = (server, courier) } }
    }

    init(
        store: Store, installation: Installation, book: ChainBook, hub: EventHub, running: RunningFlag,
        counts: ScanCounts, revocations: RevocationCounts, files: StaticFiles
    ) {
        self.store = store
        self.installation = installation
        self.book = book
        self.hub = hub
        self.running = running
        self.counts = counts
        self.revocations = revocations
        self.files = files
    }

    func attach(server: Server, courier: Courier) { late.set(server, courier) }

    /// Binds the port; requests arrive from now on, and `/readyz` says no until the pipeline runs.
    func serve(_ configuration: Configuration, certificate: ServerCertificate?) throws -> Server {
        let service = Service(context(configuration), files: files)
        return try Server(
            listen: configuration.listen, certificate: certificate, threads: min(Machine.processors, 8),
            respond: { await service.respond(to: $0) }, refuse: { service.refuse($0) },
            bodyLimit: { service.bodyLimit(method: $0, target: $1) })
    }

    /// What changes something, is refused for who asks, or goes wrong here. Reading is for `/metrics` to count.
    private static func isWorthALine(_ access: AccessRecord) -> Bool {
        switch access.status {
        case 401, 403, 429, 500...: true
        case _: !["GET", "HEAD", "OPTIONS"].contains(access.method)
        }
    }

    private func context(_ configuration: Configuration) -> ServiceContext {
        let (running, counts, late, installation) = (running, counts, late, installation)
        let revocations = revocations
        var context = ServiceContext(
            store: store, managing: store, administration: installation,
            pinFiles: PinDesk { installation.trustStoreNames }, rotation: ServedReleases(store: store, book: book),
            listen: configuration.listen,
            publicURL: configuration.publicURL, version: Pinwatch.version, scan: { installation.scanSettings },
            idna: LibIDN2(), clock: Machine.now,
            sha256: { Digests.sha256($0) }, certificateJSON: { CertificateReader.read($0).json(der: $0.der) },
            ready: { running.isSet ? nil : "the scanner is not running" },
            metrics: {
                counts.families + ScannerMetrics.families(of: installation.scannerLoad) + revocations.families
                    + ChannelMetrics.families(of: await late.parts?.courier.health() ?? [:])
            },
            errorID: { Hex.text(Machine.random(8)) }, log: { Log.error(.http, $0) })
        context.scannerLoad = { installation.scannerLoad }
        context.clientCertificate = { installation.clientCertificate(of: $0) }
        context.isUp = { running.isSet }
        context.passing = { ($0 as? StoreError).flatMap { $0.isPassing ? $0.plainWords : nil } }
        context.trustedProxies = configuration.trustedProxies
        context.hub = hub
        context.connections = { late.parts?.server.connections ?? [:] }
        context.access = { if Self.isWorthALine($0) { Log.access($0) } }
        return context
    }
}
