import PinwatchCore
import PinwatchScan
import Synchronization
import TestSupport

/// Names that resolve to what a test says.
struct FixedResolver: NameResolver {
    var answers: [String: Result<[IPAddress], ResolveFailure>] = [:]

    func resolve(
        _ name: HostName, timeoutMilliseconds: Int64,
        completion: @escaping @Sendable (Result<[IPAddress], ResolveFailure>) -> Void
    ) {
        completion(answers[name.ascii] ?? .failure(ResolveFailure(message: "\(name.ascii) is not in the test's list.")))
    }

    func stop() {}
}

/// A scanner with a test's settings, and targets for it.
struct ScanBench {
    static let loopback = IPAddress("127.0.0.1")
    var settings: ScannerSettings
    var resolver = FixedResolver()
    var hellos = HelloPlan.phone
    var clientCertificates: [TargetIdentity: ClientCertificate] = [:]
    /// Knows no trust store unless a test says otherwise.
    var judgeServer: Scanner.ServerJudge = { _, _, _ in nil }

    init(timeoutMilliseconds: Int64 = 5_000, inFlight: Int = 512) {
        settings = ScannerSettings(Configuration.ScanSettings(), loops: 2)
        settings.timeoutMilliseconds = timeoutMilliseconds
        settings.inFlight = inFlight
    }

    static func target(
        port: UInt16, host: String = "127.0.0.1", sni: String? = nil, startTLS: StartTLS? = nil,
        addresses: [String] = [],
        id: Int64 = 1
    ) -> Target {
        let name = sni.map { HostName(checked: $0) }
        let host = IPAddress(host).map { TargetHost.address($0) } ?? .name(HostName(checked: host))
        let identity = TargetIdentity(host: host, port: port, sni: name, startTLS: startTLS)
        return Target(
            id: TargetID(id),
            settings: TargetSettings(identity: identity, addresses: addresses.compactMap { IPAddress($0) }))
    }

    func scanner() throws -> Scanner {
        let scanner = try Scanner(
            settings: settings, resolver: resolver, readFamily: { _ in .ecdsa }, judgeServer: judgeServer,
            wallClock: { TestPKI.now })
        scanner.use(settings, credentials: try scanner.credentials(clientCertificates))
        return scanner
    }

    func scan(_ targets: Target...) async throws -> [Scan] {
        try await scanner().scanOnce(targets, hellos: hellos, at: TestPKI.now)
    }

    /// The observations of one target on 127.0.0.1 at a port.
    func observe(port: UInt16, sni: String? = nil, startTLS: StartTLS? = nil) async throws -> [Observation] {
        try await scan(Self.target(port: port, sni: sni, startTLS: startTLS)).flatMap(\.observations)
    }
}

extension Scanner {
    /// Submits a target for a scan without narrowed hellos.
    @discardableResult
    func submit(_ target: Target, at due: Instant) -> Bool {
        submit(DueScan(target: target, hellos: .phone), at: due)
    }
}
