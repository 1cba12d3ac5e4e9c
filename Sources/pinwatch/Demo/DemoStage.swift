internal import FoundationEssentials
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchTLS

/// One of the demonstration's hosts: what it serves, and what the app's release pins for it.
struct DemoHost: Sendable {
    let name: String
    let server: DemonstrationHost
    let key: DemonstrationKey
    let backup: DemonstrationKey
    let first: DemonstrationIdentity
}

/// Everything that the demonstration needs, on loopback and in a folder of its own that goes with it: an authority, three
/// hosts, a receiver, and the service that watches the one for the other.
struct DemoStage: Sendable {
    static let periodSeconds = 2

    let authority: DemonstrationAuthority
    let hosts: [DemoHost]
    let inbox: DemoInbox
    let service: RunningService
    private let receiver: WebhookReceiver
    private let folder: URL

    /// - Parameter port: Of the dashboard; 0 takes a free one.
    static func build(port: Int, publicFolder: String) async throws(UsageError) -> DemoStage {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "pinwatch-demo-" + Hex.text(Machine.random(6)))
        do {
            return try await DemoStage(in: folder, port: port, publicFolder: publicFolder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw UsageError("\(error)")
        }
    }

    private init(in folder: URL, port: Int, publicFolder: String) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let now = Machine.now()
        let authority = try DemonstrationAuthority(name: "Pinwatch demonstration root", now: now)
        self.authority = authority
        let hosts = try ["api.shop.test", "login.shop.test", "pay.shop.test"].map { name in
            let key = try DemonstrationKey()
            let first = try authority.issue(host: name, key: key, now: now)
            return DemoHost(
                name: name, server: try DemonstrationHost(first), key: key, backup: try DemonstrationKey(), first: first
            )
        }
        self.hosts = hosts
        let key = Machine.random(32)
        let inbox = DemoInbox()
        self.inbox = inbox
        receiver = try WebhookReceiver(key: key) { body, verified in inbox.take(body, verified: verified) }
        try Self.write(PEMText.certificate(authority.der), to: "root.pem", in: folder)
        try Self.write("whsec_" + Data(key).base64EncodedString(), to: "ops.secret", in: folder)
        try Self.write("http://127.0.0.1:\(receiver.port)/hook", to: "ops.url", in: folder)
        try Self.write(try Self.pinFile(hosts, authority), to: "shop.yaml", in: folder)
        try Self.write(Self.configuration(hosts, port: port), to: "pinwatch.yaml", in: folder)
        let file = ConfigurationFile(folder.appending(path: "pinwatch.yaml").path)
        service = try await RunningService.start(try file.read(), file: file, publicFolder: publicFolder)
    }

    func stop() async {
        await service.stop()
        receiver.stop()
        for host in hosts { host.server.stop() }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Terminal.error("demo: \(folder.path) could not be removed: \(error)")
        }
    }

    private static func configuration(_ hosts: [DemoHost], port: Int) -> String {
        let targets = hosts.map {
            "  - {host: \($0.name), port: \($0.server.port), addresses: [127.0.0.1], trust_store: demo}\n"
        }
        return """
            listen: 127.0.0.1:\(port)
            database: pinwatch.db
            scan: {period: \(periodSeconds)s, timeout: 2s}
            trust_stores: {system: system, demo: {file: root.pem}}
            targets:
            \(targets.joined())pin_sets: [shop.yaml]
            channels:
              - {name: ops, type: webhook, url: {file: ops.url}, secret: {file: ops.secret}, allow_private: true}
            routes:
              - {severity: [critical, warning], channels: [ops]}
              - {events: [key.changed], channels: [ops]}

            """
    }

    private static func pinFile(_ hosts: [DemoHost], _ authority: DemonstrationAuthority) throws -> String {
        var text = "pinwatch: 1\napp: shop\nrelease: \"1.0\"\nclient: generic\npolicy:\n  hosts:\n"
        for host in hosts {
            let backup = try authority.issue(host: host.name, key: host.backup, now: Machine.now())
            text += "    - {host: \(host.name), pins: [\(try pin(host.first)), \(try pin(backup))]}\n"
        }
        return text
    }

    private static func pin(_ identity: DemonstrationIdentity) throws(DemonstrationError) -> String {
        let certificate = Certificate(der: identity.der, fingerprint: Digests.sha256(identity.der))
        guard let spki = CertificateReader.read(certificate).spki else {
            throw DemonstrationError("a certificate made for the demonstration has no readable public key")
        }
        return spki.pin
    }

    private static func write(_ text: String, to name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }
}
