internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchNames
internal import PinwatchTLS

/// The configuration file of a command, and what the command line says in its place.
struct ConfigurationFile: Sendable {
    static let standard = "/etc/pinwatch/pinwatch.yaml"

    let path: String
    /// In place of the file's own.
    var listen: ListenAddress?
    var database: String?

    init(_ path: String?) {
        self.path = path ?? Self.standard
    }

    /// Reads the file and all that it names, as often as is asked.
    func load() throws(InputProblems) -> Configuration {
        var configuration = try Self.reader.configuration(at: path)
        if let listen { configuration.listen = listen }
        if let database { configuration.database = database }
        return configuration
    }

    /// The configuration of a command that reads it once.
    ///
    /// - Throws: All of the file's problems, a line each.
    static func read(_ path: String?) throws(UsageError) -> Configuration {
        try ConfigurationFile(path).read()
    }

    /// The same as ``load()``, with problems in words.
    func read() throws(UsageError) -> Configuration {
        do {
            return try load()
        } catch {
            throw UsageError(error.list.map(\.description).joined(separator: "\n"))
        }
    }

    private static let sources = InputSources.fileSystem(environment: Machine.environment)

    /// The civil time of this machine's zones.
    static let zones = ZoneFiles(sources: sources)

    /// What reads configurations and pin files with this machine's files and libraries.
    private static var reader: ConfigurationReader {
        ConfigurationReader(sources: sources, idna: LibIDN2(), resources: InputFile.resources, checks: checks)
    }

    /// Loads what the service will load, so that what passes here can be served.
    private static let checks = InputChecks(
        trustStore: { (bytes: [UInt8]) throws(HostProblem) in
            do { _ = try TrustStore(name: "checked", bundle: bytes) } catch { throw HostProblem("\(error)") }
        },
        keyPair: { (certificate: [UInt8], key: [UInt8]) throws(HostProblem) in
            try KeyPair.check(certificate: certificate, key: key, of: .server)
        },
        clientCertificate: { (certificate: [UInt8], key: [UInt8]) throws(HostProblem) in
            try KeyPair.client(certificate: certificate, key: key)
        },
        zones: zones, imports: .importer)
}
