internal import FoundationEssentials
internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS

/// Fills a database as years of use would: targets that came by the API, three spans of each, the newest one's chain the
/// one that the live server sends.
enum Seed {
    /// Targets of one transaction, the API's limit of one request.
    private static let batch = 1_000

    static func fill(_ options: Options) async throws {
        var configuration = try Fleet.configuration(options)
        let wanted = configuration.targets
        configuration.targets = []
        let now = PeriodClock().now()
        let begun = now - 30 * 86_400
        let store = try await Store.open(path: options.database, now: begun)
        _ = try await store.synchronize(
            configuration, trustStores: [:], urlHash: { _ in [] }, readPinSet: Pipeline.noPinSets, now: begun)
        let book = ChainBook(trustStores: [
            Fleet.trustStore: try TrustStore(name: Fleet.trustStore, file: options.root)
        ])
        let chains = try options.chains.map(chain)
        for start in stride(from: 0, to: wanted.count, by: batch) {
            let settings = wanted[start..<min(start + batch, wanted.count)].map { wanted in
                var settings = wanted
                settings.managedBy = .api
                settings.labels = ["team": "t\(start / batch % 20)"]
                return settings
            }
            let targets = try await store.addTargets(settings, Change(by: .command, at: begun)).map(\.target)
            for (age, chain) in zip([20, 10, 0] as [Int64], chains) {
                let at = now - age * 86_400
                try await store.record(targets.map { scan(of: $0, serving: chain, at: at) }, assessor: book, now: at)
            }
        }
        try await store.close()
        print(JSON.object([("targets", .whole(wanted.count)), ("spans", .whole(wanted.count * chains.count))]).text)
    }

    private static func chain(_ file: String) throws -> Chain {
        let certificates = try CertificateFile.read(Array(try Data(contentsOf: URL(filePath: file))), origin: file)
        return Chain(id: Digests.chainID(certificates), certificates: certificates)
    }

    private static func scan(of target: Target, serving chain: Chain, at now: Instant) -> Scan {
        var observation = Observation(
            at: now, address: target.settings.addresses.first, profile: .phone, outcome: .ok)
        observation.chain = chain
        observation.tlsVersion = .tls13
        observation.durationMilliseconds = 3
        return Scan(
            target: target, startedAt: now, endedAt: now, resolved: target.settings.addresses,
            observations: [observation])
    }
}
