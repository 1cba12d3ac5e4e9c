internal import PinwatchCore

/// `pinwatch config check`
enum ConfigCheck: Command {
    static let name = "config"
    static let summary = "check a configuration file"
    static let help = """
        usage: pinwatch config check FILE [--show-route KIND]

        Reads the file with everything it names, and tells all problems as file:line:column.

          --show-route KIND   which channels would hear of findings of this kind, by severity

        exit status: 0 the file can be served · 2 it cannot
        """
    static let syntax = ArgumentSyntax(options: ["--show-route"], words: 2...2)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        guard arguments.words[0] == "check" else {
            throw UsageError("\"\(arguments.words[0])\" is not done to configurations; write config check FILE")
        }
        let path = arguments.words[1]
        let configuration: Configuration
        do {
            configuration = try ConfigurationFile.read(path)
        } catch {
            for line in error.description.split(separator: "\n") { Terminal.error(String(line)) }
            return .inputError
        }
        Terminal.out(
            "\(path): fine. \(count(configuration.targets.count, "target")), "
                + "\(count(configuration.pinSets.count, "pin set")), \(count(configuration.channels.count, "channel"))."
        )
        for target in configuration.targets {
            guard let shown = configuration.clientCertificates[target.identity] else { continue }
            Terminal.out("\(target.identity.label), client certificate: \(shown.words(at: Machine.now()))")
        }
        if let kind = arguments["--show-route"] { try show(kind, configuration) }
        return .fine
    }

    private static func show(_ word: String, _ configuration: Configuration) throws(UsageError) {
        guard let kind = FindingKind(rawValue: word) else {
            let known = FindingKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--show-route takes a kind of finding (\(known)), not \"\(word)\"")
        }
        for severity in Severity.allCases.reversed() {
            let channels = Routing(routes: configuration.routes, channels: configuration.channels.map(\.name))
                .channels(for: kind, at: severity)
            Terminal.out(
                "\(word), \(severity.rawValue): \(channels.isEmpty ? "nobody" : channels.joined(separator: ", "))")
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
