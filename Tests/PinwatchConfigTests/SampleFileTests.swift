import PinwatchCore
import PinwatchNames
import Testing

@testable import PinwatchConfig

/// `config/pinwatch.yaml` and what it names, as they lie in the repository.
@Suite struct SampleFileTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/config"
    private static let sources = InputSources.fileSystem(environment: { _ in nil })

    private static func text() throws -> String {
        String(decoding: try sources.readFile(folder + "/pinwatch.yaml", 1 << 20), as: UTF8.self)
    }

    /// The text with every commented setting in use: see the file's own head.
    private static func uncommented() throws -> String {
        try text().split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("#"), let next = line.dropFirst().first else { return line }
            return next != " " || line.hasPrefix("#  ") ? line.dropFirst() : line
        }.joined(separator: "\n")
    }

    @Test func `it loads as it is, and says what is the default anyway`() throws {
        let reader = ConfigurationReader(
            sources: Self.sources, idna: LibIDN2(), resources: Room.resources, checks: Room.checks)
        let configuration = try reader.configuration(at: Self.folder + "/pinwatch.yaml")
        let plain = try Room().read("{}")
        #expect(configuration.listen == plain.listen)
        #expect(configuration.scan == plain.scan)
        #expect(configuration.thresholds == plain.thresholds)
        #expect(configuration.retention == plain.retention)
        #expect(configuration.trustStores == plain.trustStores)
        #expect(configuration.database.hasSuffix("/config/../var/pinwatch.db"))
        #expect(configuration.pinSets.map(\.identity.label) == ["example-app 1.0.0"])
        #expect(configuration.targets.isEmpty && configuration.channels.isEmpty && configuration.silences.isEmpty)
    }

    @Test func `it loads with every example in use`() throws {
        var room = Room()
        room.variables["OPS_URL"] = "https://hooks.example.com/x"
        room.variables["HEARTBEAT_URL"] = "https://beat.example.com/x"
        room.files["/etc/pinwatch/tls/chain.pem"] = "certificate of a"
        room.files["/etc/pinwatch/tls/key.pem"] = "key of a"
        room.files["/etc/pinwatch/client/chain.pem"] = "certificate of a"
        room.files["/etc/pinwatch/client/key.pem"] = "key of a"
        room.files["/etc/pinwatch/secret.key"] = Room.sealingKey
        room.files["/etc/pinwatch/corp.pem"] = "-----BEGIN CERTIFICATE-----"
        room.files["/etc/pinwatch/pins/example.yaml"] = String(
            decoding: try Self.sources.readFile(Self.folder + "/pins/example.yaml", 1 << 20), as: UTF8.self)
        let configuration = try room.read(try Self.uncommented())
        #expect(configuration.scan.proxy?.exceptions.count == 3)
        #expect(configuration.tls != nil && configuration.secretKeys.count == 1)
        #expect(configuration.clientCertificates[configuration.targets[0].identity] != nil)
        #expect(configuration.targets.count == 1 && configuration.channels.count == 1)
        #expect(configuration.routes.count == 2 && configuration.silences.count == 1)
    }

    @Test func `no key that is read is missing from it, and none that is not read yet is unnamed`() throws {
        let text = try Self.text()
        let root = try YAMLTree.node(Array(try Self.uncommented().utf8), file: "pinwatch.yaml", limit: 1 << 20).root
        let sections: [([String], keys: [String])] = [
            ([], ConfigurationKeys.top), (["tls"], ConfigurationKeys.tls), (["scan"], ConfigurationKeys.scan),
            (["heartbeat"], ConfigurationKeys.heartbeat),
            (["scan", "proxy"], ConfigurationKeys.proxy), (["scan", "revocation"], ConfigurationKeys.revocation),
            (["thresholds"], ConfigurationKeys.thresholds), (["retention"], ConfigurationKeys.retention),
            (["targets"], ConfigurationKeys.target),
            (["targets", "client_certificate"], ConfigurationKeys.clientCertificate),
            (["channels"], ConfigurationKeys.channel),
            (["routes"], ConfigurationKeys.route), (["silences"], ConfigurationKeys.silence),
            (["silences", "matchers"], ConfigurationKeys.matchers),
        ]
        for (path, keys) in sections {
            let found = path.reduce([root]) { nodes, key in nodes.flatMap { Self.members($0, named: key) } }
            let written = Set(found.flatMap { Self.members($0).map(\.key) })
            #expect(written == Set(keys), "below \(path)")
        }
        let later = ConfigurationKeys.Later.self
        let below: [(String, [String])] = [
            ("retention.", later.retention)
        ]
        for (section, keys) in below {
            for key in keys { #expect(text.contains(section + key)) }
        }
    }

    /// A mapping's members, or those of all mappings of a list.
    private static func members(_ node: Node) -> [Node.Member] {
        switch node.value {
        case .mapping(let members): members
        case .sequence(let items): items.flatMap { members($0) }
        case .scalar: []
        }
    }

    private static func members(_ node: Node, named key: String) -> [Node] {
        members(node).filter { $0.key == key }.map(\.value)
    }
}
