import PinwatchConfig
import PinwatchCore
import PinwatchNames

/// Files and variables of a test, in memory under `/etc/pinwatch`.
struct Room {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let sealingKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let oldSealingKey = "HxwdHh8AAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo="
    static let folder = "/etc/pinwatch"

    var files: [String: String] = [
        "/etc/pinwatch/ops.secret": secret + "\n", "/etc/pinwatch/ca.pem": "-----BEGIN CERTIFICATE-----",
        "/etc/pinwatch/tls.pem": "certificate of a", "/etc/pinwatch/a.key": "key of a",
        "/etc/pinwatch/b.key": "key of b", "/etc/pinwatch/seal.key": sealingKey + "\n",
    ]
    var variables = [
        "URL": "https://hooks.example.com/x", "SECRET": secret, "BARE": "no-url", "OLD_KEY": oldSealingKey,
    ]

    var sources: InputSources {
        let (files, variables) = (files, variables)
        return InputSources(
            environment: { variables[$0] },
            readFile: { (path: String, _: Int) throws(HostProblem) -> [UInt8] in
                guard let text = files[path] else { throw HostProblem("\(path) cannot be read: no such file") }
                return Array(text.utf8)
            },
            listFiles: { (pattern: String, folder: String) throws(HostProblem) -> [String] in
                let prefix = folder + "/" + pattern.prefix { $0 != "*" }
                return files.keys.filter { $0.hasPrefix(prefix) }.sorted()
            },
            realPath: { (path: String) throws(HostProblem) -> String in
                path == "/etc/pinwatch/link.pem" ? "/etc/passwd" : path
            })
    }

    func read(_ text: String) throws -> Configuration {
        try reader.configuration(from: Array(text.utf8), file: "p.yaml", folder: Room.folder)
    }

    var reader: ConfigurationReader {
        ConfigurationReader(sources: sources, idna: LibIDN2(), resources: Room.resources, checks: Room.checks)
    }

    func pins(_ text: String) throws -> PinSetDefinition {
        try PinFileDecoder(sources: sources, resources: Room.resources)
            .definition(from: Array(text.utf8), file: "pins.yaml", folder: Room.folder)
    }

    /// Any PEM is the same key; XML and names are for other rooms.
    static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in throw HostProblem("\(path) is not asked for here")
        },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in
            guard let digest = SHA256Digest([UInt8](repeating: 7, count: 32)),
                String(decoding: bytes, as: UTF8.self).hasPrefix("-----BEGIN")
            else { throw HostProblem("it holds neither a certificate nor a key") }
            return .publicKey(spki: digest)
        },
        readXML: { (_: String) throws(HostProblem) -> XMLElement in throw HostProblem("no XML here") },
        publicSuffixes: LibPSL(), idna: LibIDN2())

    /// Zones are two; a certificate's and a key's file say themselves whose they are.
    static let checks = InputChecks(trustStore: check, keyPair: match, clientCertificate: shown, zones: Zones())

    private struct Zones: TimeZones {
        func offset(of zone: String, at instant: Instant) -> Int64? { ["UTC": 0, "Europe/Berlin": 3_600][zone] }
    }

    private static func match(_ certificate: [UInt8], _ key: [UInt8]) throws(HostProblem) {
        if certificate.last != key.last { throw HostProblem("the key does not belong to the certificate") }
    }

    private static func shown(_ certificate: [UInt8], _ key: [UInt8]) throws(HostProblem) -> ClientCertificate {
        try match(certificate, key)
        return ClientCertificate(
            chain: [], key: Secret(String(decoding: key, as: UTF8.self)),
            subject: String(decoding: certificate, as: UTF8.self), notAfter: nil)
    }

    static func check(_ bytes: [UInt8]) throws(HostProblem) {
        if !bytes.starts(with: Array("-----BEGIN ".utf8)) { throw HostProblem("the file holds no certificate") }
    }

    /// The problems' lines, or an empty list for what was accepted.
    static func problems(_ body: () throws -> Void) throws -> [String] {
        do { try body() } catch let error as InputProblems { return error.list.map(\.description) }
        return []
    }
}
