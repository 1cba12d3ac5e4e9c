internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchNames
internal import PinwatchTLS

/// The configuration file of a command.
enum ConfigurationFile {
    static let standard = "/etc/pinwatch/pinwatch.yaml"

    private static let sources = InputSources.fileSystem(environment: Machine.environment)

    /// Loads what the service will load, so that what passes here can be served.
    private static let checks = InputChecks(
        trustStore: { (bytes: [UInt8]) throws(HostProblem) in
            do { _ = try TrustStore(name: "checked", bundle: bytes) } catch { throw HostProblem("\(error)") }
        },
        keyPair: { (certificate: [UInt8], key: [UInt8]) throws(HostProblem) in
            try ServerKeyPair.check(certificate: certificate, key: key)
        },
        zones: ZoneFiles(sources: sources))

    /// - Throws: All of the file's problems, a line each.
    static func read(_ path: String?) throws(UsageError) -> Configuration {
        let reader = ConfigurationReader(
            sources: sources, idna: LibIDN2(), loadPinFile: InputFile.loadPinFile, checks: checks)
        do {
            return try reader.configuration(at: path ?? standard)
        } catch {
            throw UsageError(error.list.map(\.description).joined(separator: "\n"))
        }
    }
}
