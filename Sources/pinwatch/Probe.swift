internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchNames
internal import PinwatchScan
internal import PinwatchTLS

/// One observation with what reading and path building made of it.
struct Visit: Sendable {
    let identity: TargetIdentity
    let observation: Observation
    let summaries: [CertificateSummary]
    let verification: Verification?
    let weak: [Weakness]

    var certificates: [Certificate] { observation.chain?.certificates ?? [] }

    func isSamePlace(as other: Visit) -> Bool {
        identity == other.identity && observation.address == other.observation.address
    }
}

/// Visits hosts from the command line: no configuration, no store, the default `deny_addresses`.
struct Probe: Sendable {
    static let options: Set<String> = [
        "--sni", "--starttls", "--address", "--ca-file", "--timeout", "--client-certificate", "--client-key",
    ]
    static let more: [String: @Sendable (String) -> Bool] = ["--address": { IPAddress($0) != nil }]

    private let sni: HostName?
    private let startTLS: StartTLS?
    private let addresses: [IPAddress]
    private let settings: Configuration.ScanSettings
    private let clientCertificate: ClientCertificate?
    /// What `--ca-file` replaced the system's store by, or the system's.
    let trustStore: TrustStore

    init(_ arguments: Arguments, userAnchors: String? = nil) throws(UsageError) {
        sni = try Self.name(arguments["--sni"])
        startTLS = try Self.startTLS(arguments["--starttls"])
        var addresses: [IPAddress] = []
        for text in arguments.all("--address") {
            guard let address = IPAddress(text) else {
                throw UsageError("--address takes an IP address, not \"\(text)\"")
            }
            addresses.append(address)
        }
        self.addresses = addresses
        var settings = Configuration.ScanSettings()
        if let seconds = try arguments.number("--timeout", in: 1...600) { settings.timeoutSeconds = Int64(seconds) }
        self.settings = settings
        trustStore = try Self.trustStore(file: arguments["--ca-file"], and: userAnchors)
        clientCertificate = try Self.clientCertificate(arguments["--client-certificate"], arguments["--client-key"])
    }

    private static func clientCertificate(
        _ certificate: String?, _ key: String?
    ) throws(UsageError) -> ClientCertificate? {
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            do {
                let sources = InputSources.fileSystem(environment: { _ in nil })
                return try KeyPair.client(
                    certificate: try sources.readFile(certificate, 1 << 20), key: try sources.readFile(key, 1 << 16))
            } catch {
                throw UsageError("--client-certificate and --client-key: \(error.description)")
            }
        case (.some, nil), (nil, .some):
            throw UsageError("--client-certificate and --client-key go together; give both")
        }
    }

    private static func name(_ text: String?) throws(UsageError) -> HostName? {
        guard let text else { return nil }
        do {
            return try HostInput.name(text, idna: LibIDN2())
        } catch {
            throw UsageError("--sni: \(error.description)")
        }
    }

    private static func startTLS(_ text: String?) throws(UsageError) -> StartTLS? {
        guard let text else { return nil }
        guard let known = StartTLS(rawValue: text) else {
            let words = StartTLS.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--starttls takes \(words), not \"\(text)\"")
        }
        return known
    }

    /// The anchors of a file, or the system's, with further ones added.
    static func trustStore(file: String?, and further: String?) throws(UsageError) -> TrustStore {
        do {
            let base: TrustStore
            if let file { base = try TrustStore(name: file, file: file) } else { base = try TrustStore.system() }
            guard let further else { return base }
            return try base.adding(try TrustStore(name: further, file: further, source: .user))
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// Every address of every host: one list a host, in the order given.
    func visit(_ hosts: [String]) async throws(UsageError) -> [[Visit]] {
        guard addresses.isEmpty || hosts.count == 1 else {
            throw UsageError("--address goes with one host; \(hosts.count) are given")
        }
        var targets: [Target] = []
        for (index, host) in hosts.enumerated() {
            targets.append(Target(id: TargetID(Int64(index + 1)), settings: try target(host)))
        }
        var settings = settings
        settings.inFlight = max(1, min(settings.inFlight, DescriptorLimit.raise() - DescriptorLimit.reserve))
        let scanner = try scanner(ScannerSettings(settings, loops: 1), for: targets)
        let scans = await scanner.scanOnce(targets, at: Machine.now())
        return scans.map { scan in scan.observations.map { judged($0, of: scan.target.identity) } }
    }

    private func scanner(_ settings: ScannerSettings, for targets: [Target]) throws(UsageError) -> Scanner {
        do {
            let scanner = try Scanner(
                settings: settings, resolver: CaresResolver(), readFamily: { CertificateReader.keyFamily(of: $0) },
                judgeServer: { [trustStore] chain, _, reference in
                    let now = Machine.now()
                    return PathBuilder.assess(chain: chain, trustStore: trustStore, at: now)
                        .verification(at: now, for: reference)
                }, wallClock: Machine.now)
            if let clientCertificate {
                let shown = Dictionary(targets.map { ($0.identity, clientCertificate) }) { first, _ in first }
                scanner.use(settings, credentials: try scanner.credentials(shown))
            }
            return scanner
        } catch {
            throw UsageError("\(error)")
        }
    }

    private func target(_ host: String) throws(UsageError) -> TargetSettings {
        do {
            let input = try HostInput.parse(host, takesProtocols: true, idna: LibIDN2())
            return TargetSettings(identity: TargetIdentity(input, sni: sni, startTLS: startTLS), addresses: addresses)
        } catch {
            throw UsageError(error.description)
        }
    }

    private func judged(_ observation: Observation, of identity: TargetIdentity) -> Visit {
        let now = Machine.now()
        let assessment = observation.chain.map { PathBuilder.assess(chain: $0, trustStore: trustStore, at: now) }
        let summaries = assessment?.certificates ?? []
        return Visit(
            identity: identity, observation: observation, summaries: summaries,
            verification: assessment.flatMap { known in
                summaries.first?.spki == nil ? nil : known.verification(at: now, for: identity.reference)
            },
            weak: observation.weaknesses(beside: summaries.weaknesses))
    }
}
