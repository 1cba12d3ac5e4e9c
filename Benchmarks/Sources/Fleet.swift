internal import PinwatchCore

/// What is watched: names of one loopback server, all pinned, every tenth of them to a key that is not served, so that
/// findings stand open which an unchanged scan must leave alone. Beside them servers that stall, drip or send megabytes,
/// and targets that are stored and never due.
enum Fleet {
    static let trustStore = "bench"
    /// The service's default.
    static let periodSeconds: Int64 = 300
    /// Of targets that are stored only; nothing ever connects to it.
    static let storedPort: UInt16 = 1

    /// Minutes, where nothing but servers that stall would ever reach it; in rounds the service's default.
    static func timeoutSeconds(_ options: Options) -> Int64 { options.mode == .rounds ? 10 : 60 }

    static func configuration(_ options: Options) throws(BenchmarkError) -> Configuration {
        let loopback = IPAddress("127.0.0.1")
        guard let loopback else { throw .setup("127.0.0.1 is no address") }
        var configuration = Configuration(
            listen: ListenAddress(address: loopback, port: 0), database: options.database)
        configuration.scan.periodSeconds = periodSeconds
        configuration.scan.inFlight = options.inFlight
        configuration.scan.timeoutSeconds = timeoutSeconds(options)
        configuration.trustStores[trustStore] = .file(options.root)
        configuration.targets = (0..<options.targets).map { number in
            target(name(number), port: options.port, at: loopback)
        }
        let others = [
            ("s", options.stalling, options.stallPort), ("d", options.dripping, options.dripPort),
            ("l", options.longPort == 0 ? 0 : 1, options.longPort), ("x", options.stored, storedPort),
        ]
        for (letter, count, port) in others {
            configuration.targets += (0..<count).map { target("\(letter)\($0).bench.test", port: port, at: loopback) }
        }
        configuration.pinSets = [
            try pinSet("bench-ios", [("*.bench.test", [options.pin, strangersPin(1)])]),
            try pinSet(
                "bench-android",
                stride(from: 0, to: options.targets, by: 10).map { (name($0), [strangersPin(1), strangersPin(2)]) }),
        ]
        return configuration
    }

    static func target(_ name: String, port: UInt16, at address: IPAddress) -> TargetSettings {
        let host = HostName(checked: name)
        return TargetSettings(
            identity: TargetIdentity(host: .name(host), port: port, sni: host, startTLS: nil), addresses: [address],
            trustStore: trustStore)
    }

    private static func name(_ number: Int) -> String { "h\(number).bench.test" }

    /// A well-formed pin of no key: base64 of 32 equal bytes.
    private static func strangersPin(_ seed: Int) -> String {
        String(repeating: seed == 1 ? "AQEB" : "AgIC", count: 10) + (seed == 1 ? "AQE=" : "AgI=")
    }

    private static func pinSet(
        _ app: String, _ hosts: [(host: String, pins: [String])]
    ) throws(BenchmarkError) -> PinSetDefinition {
        let entries = hosts.map { entry in
            mapping([
                ("host", text(entry.host)), ("pins", node(.sequence(entry.pins.map { text("sha256/" + $0) }))),
            ])
        }
        var reader = NodeReader(file: app, resources: .none("no pin files here"))
        let policy = GenericPolicy(from: mapping([("hosts", node(.sequence(entries)))]), reader: &reader)
        guard let policy else { throw .setup(reader.problems.map(\.description).joined(separator: "\n")) }
        return PinSetDefinition(
            identity: PinSetIdentity(app: app, release: "1.0", variant: .release, stack: "default"), share: nil,
            platform: nil, trustStore: nil, layers: [PinLayer(client: .generic, clientVersion: nil, policy: policy)],
            source: "\(hosts)", origin: app, managedBy: .config)
    }

    private static func node(_ value: Node.Value) -> Node { Node(value: value, mark: Mark(line: 1, column: 1)) }
    private static func text(_ value: String) -> Node { node(.scalar(value, plain: false)) }
    private static func mapping(_ members: [(String, Node)]) -> Node {
        node(.mapping(members.map { Node.Member(key: $0.0, keyMark: Mark(line: 1, column: 1), value: $0.1) }))
    }
}
