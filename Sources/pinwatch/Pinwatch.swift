internal import PinwatchCore

/// The command line's entry: finds the command, reads its words, runs it, and ends with its status.
@main
struct Pinwatch {
    static let version = "0.1.0"

    static let commands = [
        Entry(Serve.self), Entry(ScanCommand.self), Entry(PinsCommand.self), Entry(CheckCommand.self),
        Entry(PreflightCommand.self), Entry(LintCommand.self), Entry(ImportCommand.self), Entry(ExportCommand.self),
        Entry(ConfigCheck.self), Entry(TokenCommand.self), Entry(ChannelCommand.self), Entry(BackupCommand.self),
        Entry(DemoCommand.self), Entry(Version.self),
    ]

    static func main() async {
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        Terminal.end(status)
    }

    /// - Parameter line: The words after the program's name.
    static func run(_ line: [String]) async -> CheckExit {
        guard let name = line.first else {
            Terminal.error("no command given; see pinwatch --help")
            return .inputError
        }
        if ["--help", "-h", "help"].contains(name) {
            Terminal.out(overview)
            return .fine
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let known = commands.map(\.name).joined(separator: ", ")
            Terminal.error("unknown command \"\(name)\"; commands are \(known)")
            return .inputError
        }
        let rest = Array(line.dropFirst())
        if rest.contains(where: { $0 == "--help" || $0 == "-h" }) {
            Terminal.out(command.help)
            return .fine
        }
        do {
            return try await command.run(try Arguments(rest, syntax: command.syntax))
        } catch {
            for line in String(describing: error).split(separator: "\n") { Terminal.error("\(name): \(line)") }
            return .inputError
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
    /// Does the work.
    ///
    /// - Throws: ``UsageError``, what the person at the keyboard must mend; it ends with status 2.
    static func run(_ arguments: Arguments) async throws -> CheckExit
}

/// A command in the table: calls through an existential metatype crash Swift 6.3.1's compiler, so its members are values.
struct Entry: Sendable {
    let name: String
    let summary: String
    let help: String
    let syntax: ArgumentSyntax
    let run: @Sendable (Arguments) async throws -> CheckExit

    init<Named: Command>(_ command: Named.Type) {
        name = command.name
        summary = command.summary
        help = command.help
        syntax = command.syntax
        run = { arguments in try await Named.run(arguments) }
    }
}
