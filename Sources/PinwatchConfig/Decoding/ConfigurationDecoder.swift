internal import PinwatchCore

/// One reading of a configuration: section by section in extensions, every problem into `reader`.
struct ConfigurationDecoder {
    let folder: String
    let sources: InputSources
    let idna: any IDNA
    let pinFiles: PinFileDecoder
    let checks: InputChecks
    let secrets: SecretReference
    var reader: NodeReader

    init(
        file: String, folder: String, sources: InputSources, idna: any IDNA, pinFiles: PinFileDecoder,
        checks: InputChecks
    ) {
        self.folder = folder
        self.sources = sources
        self.idna = idna
        self.pinFiles = pinFiles
        self.checks = checks
        secrets = SecretReference(sources: sources, folder: folder)
        reader = NodeReader(file: file, resources: .none("pins stand in pin files, not in the configuration"))
    }

    mutating func configuration(_ root: Node) -> Configuration? {
        guard let top = reader.mapping(root, "the configuration", allowed: ConfigurationKeys.top),
            let loopback = IPAddress("127.0.0.1")
        else { return nil }
        var configuration = Configuration(
            listen: ListenAddress(address: loopback, port: 8080), database: "/var/lib/pinwatch/pinwatch.db")
        let folder = folder
        reader.set(&configuration.listen, from: top["listen"]) { $0.listenAddress($1) }
        configuration.tls = tls(top["tls"])
        configuration.publicURL = top["public_url"].flatMap { reader.publicURL($0) }
        configuration.trustedProxies = reader.trustedProxies(top["trusted_proxies"])
        reader.set(&configuration.database, from: top["database"]) { $0.path($1, "database", in: folder) }
        configuration.secretKeys = secretKeys(top["secret_key"])
        configuration.environments = reader.environments(top["environments"])
        configuration.heartbeat = heartbeat(top["heartbeat"])
        configuration.scan = scan(top["scan"])
        configuration.thresholds = reader.thresholds(top["thresholds"])
        configuration.retention = reader.retention(top["retention"])
        configuration.trustStores = trustStores(top["trust_stores"])
        let stores = Set(configuration.trustStores.keys)
        (configuration.targets, configuration.clientCertificates) = targets(top["targets"], trustStores: stores)
        (configuration.pinSets, configuration.remarks) = pinSets(top["pin_sets"], trustStores: stores)
        configuration.channels = channels(top["channels"])
        configuration.routes = routes(top["routes"], channels: declaredChannels(top["channels"]))
        configuration.silences = silences(top["silences"])
        return configuration
    }

    private mutating func trustStores(_ node: Node?) -> [String: Configuration.TrustStoreSource] {
        var stores: [String: Configuration.TrustStoreSource] = ["system": .system]
        guard let node, let members = reader.members(node, "trust_stores") else { return stores }
        for member in members {
            guard NameRule.allows(member.key) else {
                reader.report(
                    member.keyMark,
                    "a trust store's name takes \(NameRule.words), not \"\(member.key.prefix(60))\"")
                continue
            }
            // A name stays declared although its value is at fault, so that its users are not reported as well.
            stores[member.key] = trustStore(member.value, name: member.key) ?? .system
        }
        return stores
    }

    private mutating func trustStore(_ node: Node, name: String) -> Configuration.TrustStoreSource? {
        if case .scalar("system", _) = node.value { return .system }
        guard name != "system" else {
            reader.report(node.mark, "the trust store \"system\" is the machine's own; give another store another name")
            return nil
        }
        guard case .mapping = node.value else {
            reader.report(node.mark, "trust store \(name) must be system or {file: PEM}, not \(node.shown)")
            return nil
        }
        let what = "trust store \(name)"
        guard let store = reader.mapping(node, what, allowed: ["file"]), let file = store.required("file", &reader),
            let path = reader.path(file, "the file of \(what)", in: folder)
        else { return nil }
        do {
            try checks.trustStore(try sources.readFile(path, 8 << 20))
        } catch {
            reader.report(file.mark, "\(what): \(error.description)")
        }
        return .file(path)
    }
}

extension NodeReader {
    fileprivate mutating func listenAddress(_ node: Node) -> ListenAddress? {
        guard let text = string(node, "listen") else { return nil }
        do {
            return try ListenAddress(text)
        } catch {
            report(node.mark, "listen: \(error.description)")
            return nil
        }
    }

    fileprivate mutating func publicURL(_ node: Node) -> String? {
        guard let text = string(node, "public_url") else { return nil }
        do {
            let address = try WebAddress(text)
            guard !address.hasUser, !address.hasQueryOrFragment else {
                report(node.mark, "public_url must hold no user, query or fragment, not \(node.shown)")
                return nil
            }
            return String(text.reversed().drop { $0 == "/" }.reversed())
        } catch {
            report(node.mark, "public_url \(error.words), not \(node.shown)")
            return nil
        }
    }
}
