internal import PinwatchCore
internal import PinwatchScan
internal import PinwatchStore
internal import PinwatchTLS

/// Scanner, chain book and store put together as the service does it, without channels and API.
struct Pipeline {
    /// Targets of the server that completes handshakes.
    let live: [Target]
    /// Targets of servers that stall, drip or send megabytes.
    let others: [Target]
    private let settings: ScannerSettings
    private let clock: PeriodClock
    private let scanner: Scanner
    private let store: Store
    private let book: ChainBook

    init(_ options: Options) async throws {
        let clock = PeriodClock()
        let configuration = try Fleet.configuration(options)
        let store = try await Store.open(path: options.database, now: clock.now())
        let synchronized = try await store.synchronize(
            configuration, trustStores: [:], urlHash: { _ in [] },
            readPinSet: Self.noPinSets, now: clock.now())
        let book = ChainBook(trustStores: [
            Fleet.trustStore: try TrustStore(name: Fleet.trustStore, file: options.root)
        ])
        settings = ScannerSettings(configuration.scan, loops: 2)
        scanner = try Scanner(
            settings: settings, resolver: CaresResolver(),
            readFamily: { CertificateReader.keyFamily(of: $0) }, judgeServer: { _, _, _ in nil },
            wallClock: { clock.now() })
        let targets = synchronized.targets.map(\.target)
        live = targets.filter { $0.settings.identity.port == options.port }
        others = targets.filter { ![options.port, Fleet.storedPort].contains($0.settings.identity.port) }
        self.clock = clock
        self.store = store
        self.book = book
    }

    /// Nothing here came by the API.
    static let noPinSets: PinSetReader = { _ throws(TextFaults) in throw TextFaults([]) }

    /// All that is ever due, good and bad ones mixed.
    var watched: [Target] {
        (live + others).sorted { left, right in
            left.id.rawValue &* 0x5851_F42D_4C95_7F2D < right.id.rawValue &* 0x5851_F42D_4C95_7F2D
        }
    }

    var now: Instant { clock.now() }

    func pass(_ seconds: Int64) { clock.pass(seconds) }

    func useTimeout(_ seconds: Int64) {
        var settings = settings
        settings.timeoutMilliseconds = seconds * 1_000
        scanner.use(settings, credentials: ClientCredentials())
    }

    func submit(_ targets: [Target], hellos: HelloPlan = .phone) {
        for target in targets { submit(DueScan(target: target, hellos: hellos)) }
    }

    func submit(_ scan: DueScan) { scanner.submit(scan, at: clock.now()) }

    func nextScans() async -> [Scan] { await scanner.nextScans() }

    /// Records what was taken and gives its places back.
    func record(_ scans: [Scan]) async throws {
        for scan in scans {
            for chain in Set(scan.observations.compactMap(\.chain)) {
                _ = book.assess(chain, trustStore: scan.target.settings.trustStore, now: clock.now())
            }
        }
        try await store.record(scans, assessor: book, now: clock.now())
        scanner.release(scans.count)
    }

    func judgeDue() async throws {
        while try await store.evaluateDue(assessor: book, now: clock.now(), limit: 500).judged == 500 {}
    }

    /// Records until this many scans that were let in by `counts` are recorded.
    ///
    /// - Returns: How many of them have an observation that is not `ok`.
    func record(_ count: Int, where counts: (Scan) -> Bool = { _ in true }) async throws -> Int {
        var left = count
        var failed = 0
        while left > 0 {
            let scans = await scanner.nextScans()
            guard !scans.isEmpty else { throw BenchmarkError.endedEarly(left: left) }
            try await record(scans)
            let counted = scans.filter(counts)
            left -= counted.count
            failed += counted.count { scan in scan.observations.contains { $0.outcome != .ok } }
        }
        return failed
    }

    /// One period: every live target once, then what the clock alone has judged again.
    func pass() async throws -> Int { try await pass(of: live) }

    func pass(of targets: [Target], hellos: HelloPlan = .phone) async throws -> Int {
        submit(targets, hellos: hellos)
        let failed = try await record(targets.count)
        clock.pass(Fleet.periodSeconds)
        try await judgeDue()
        return failed
    }

    /// Cuts off what is under way and closes the database.
    func close() async throws {
        await scanner.stop(limitMilliseconds: 0)
        try await store.close()
    }
}
