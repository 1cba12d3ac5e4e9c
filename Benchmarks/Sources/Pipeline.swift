internal import PinwatchCore
internal import PinwatchScan
internal import PinwatchStore
internal import PinwatchTLS

/// Scanner, chain book and store put together as the service does it, without channels and API.
struct Pipeline {
    let targets: [Target]
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
        scanner = try Scanner(
            settings: ScannerSettings(configuration.scan, loops: 2), resolver: CaresResolver(),
            readFamily: { CertificateReader.keyFamily(of: $0) }, judgeServer: { _, _, _ in nil },
            wallClock: { clock.now() })
        targets = synchronized.targets.map(\.target)
        self.clock = clock
        self.store = store
        self.book = book
    }

    /// Nothing here came by the API.
    static let noPinSets: PinSetReader = { _ throws(TextFaults) in throw TextFaults([]) }

    func submit(_ targets: [Target]) {
        for target in targets { scanner.submit(DueScan(target: target, hellos: .phone), at: clock.now()) }
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
            for scan in scans {
                for chain in Set(scan.observations.compactMap(\.chain)) {
                    _ = book.assess(chain, trustStore: scan.target.settings.trustStore, now: clock.now())
                }
            }
            try await store.record(scans, assessor: book, now: clock.now())
            scanner.release(scans.count)
            let counted = scans.filter(counts)
            left -= counted.count
            failed += counted.count { scan in scan.observations.contains { $0.outcome != .ok } }
        }
        return failed
    }

    /// One period: every target once, then what the clock alone has judged again.
    func pass() async throws -> Int {
        submit(targets)
        let failed = try await record(targets.count)
        clock.pass(Fleet.periodSeconds)
        while try await store.evaluateDue(assessor: book, now: clock.now(), limit: 500).judged == 500 {}
        return failed
    }

    /// Cuts off what is under way and closes the database.
    func close() async throws {
        await scanner.stop(limitMilliseconds: 0)
        try await store.close()
    }
}
