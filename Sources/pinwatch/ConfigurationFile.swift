internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchNames

/// The configuration file of a command.
enum ConfigurationFile {
    static let standard = "/etc/pinwatch/pinwatch.yaml"

    /// - Throws: All of the file's problems, a line each.
    static func read(_ path: String?) throws(UsageError) -> Configuration {
        let reader = ConfigurationReader(
            sources: .fileSystem(environment: Machine.environment), idna: LibIDN2(),
            loadPinFile: InputFile.loadPinFile)
        do {
            return try reader.configuration(at: path ?? standard)
        } catch {
            throw UsageError(error.list.map(\.description).joined(separator: "\n"))
        }
    }
}
