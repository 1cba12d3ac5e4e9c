/// The command line's entry: finds the command, reads its words, runs it, and ends with its status.
@main
struct Pinwatch {
    static let version = "0.1.0"

    static let commands: [any (Command & SendableMetatype).Type] = [
        Serve.self, ScanCommand.self, PinsCommand.self, CheckCommand.self, ConfigCheck.self, TokenCommand.self,
        DemoCommand.self, Version.self,
    ]

    static func main() async {
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        Terminal.end(status)
    }

    /// - Parameter line: The words after the program's name.
    static func run(_ line: [String]) async -> ExitStatus {
        guard let name = line.first else {
            Terminal.error("no command given; see pinwatch --help")
            return .usage
        }
        if ["--help", "-h", "help"].contains(name) {
            Terminal.out(overview)
            return .fine
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let known = commands.map(\.name).joined(separator: ", ")
            Terminal.error("unknown command \"\(name)\"; commands are \(known)")
            return .usage
        }
        let rest = Array(line.dropFirst())
        if rest.contains(where: { $0 == "--help" || $0 == "-h" }) {
            Terminal.out(command.help)
            return .fine
        }
        do {
            return try await command.run(try Arguments(rest, syntax: command.syntax))
        } catch {
            for line in error.description.split(separator: "\n") { Terminal.error("\(name): \(line)") }
            return .usage
        }
    }

    private static var overview: String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count + 2) + command.summary
        }
        return """
            Pinwatch watches what TLS hosts serve against the pins that apps hold.

            usage: pinwatch <command> …        pinwatch <command> --help tells more

            \(lines.joined(separator: "\n"))
            """
    }
}

/// One command of the line.
protocol Command: Sendable {
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    /// What `--help` prints: usage, options, exit status.
    static var help: String { get }
    static var syntax: ArgumentSyntax { get }
    /// Does the work. - Throws: What the person at the keyboard must mend; it ends with status 2.
    static func run(_ arguments: Arguments) async throws(UsageError) -> ExitStatus
}
