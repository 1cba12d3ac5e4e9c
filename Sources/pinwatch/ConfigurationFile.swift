internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchNames
internal import PinwatchTLS

/// The configuration file of a command.
enum ConfigurationFile {
    static let standard = "/etc/pinwatch/pinwatch.yaml"

    /// Loads the anchors as the service will, so that what passes here can be served.
    private static let checkTrustStore: @Sendable ([UInt8]) throws(HostProblem) -> Void = {
        (bytes: [UInt8]) throws(HostProblem) in
        do { _ = try TrustStore(name: "checked", bundle: bytes) } catch { throw HostProblem("\(error)") }
    }

    /// - Throws: All of the file's problems, a line each.
    static func read(_ path: String?) throws(UsageError) -> Configuration {
        let reader = ConfigurationReader(
            sources: .fileSystem(environment: Machine.environment), idna: LibIDN2(),
            loadPinFile: InputFile.loadPinFile, checkTrustStore: checkTrustStore)
        do {
            return try reader.configuration(at: path ?? standard)
        } catch {
            throw UsageError(error.list.map(\.description).joined(separator: "\n"))
        }
    }
}
