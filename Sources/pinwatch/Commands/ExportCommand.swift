internal import PinwatchCore
internal import PinwatchImport

/// `pinwatch export`
enum ExportCommand: Command {
    static let name = "export"
    static let summary = "write pins in a client's own format"
    static let help = """
        usage: pinwatch export FILE… [--format NAME] [options]
               pinwatch export --server URL --pin-set ID [--format NAME]

        Writes the pins of files, native or in any format that import reads, in another. What the format cannot say, and
        its traps, stand in the text as comments. Certificates, keys and signing requests alone, with --host, are written as
        that host's current and backup keys.

          --format NAME    \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))
                           (native if left out)
          --host NAME      the host, where the files name none
        \(ServerClient.help)
          --pin-set ID         with --server: the pin set that is stored there
          --client C, --app A, --release R, --variant V, --set NAME=VALUE    as in import

        exit status: 0 printed · 2 bad arguments or files, or a format that cannot hold the pins · 3 a question must be
                     answered first
        """
    static let syntax = ArgumentSyntax(
        options: PinInput.options.union(ServerClient.options).union(["--format", "--pin-set"]), repeatable: ["--set"],
        words: 0...Importer.fileLimit)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let format = try format(arguments)
        if let server = try ServerClient(arguments) {
            return try await stored(arguments, format, in: server)
        }
        guard !arguments.words.isEmpty, arguments["--pin-set"] == nil else {
            throw UsageError("give the pin files to export, or --server URL with --pin-set ID")
        }
        let context = try PinInput.context(arguments)
        do {
            let files = try PinInput.files(arguments.words)
            let imported = try Importer.release(files, context: context)
            if imported.format == .keyFiles, context.client == nil, let host = context.host {
                Terminal.file(try Exporter.text(of: HostKeys(host: host, found: imported.found), as: format))
                return .fine
            }
            let open = imported.questions.filter(\.mustAnswer)
            for question in open { Terminal.error("export: \(imported.origin): \(question.words)") }
            guard open.isEmpty, let file = imported.files.first else { return .couldNotTell }
            Terminal.file(try Exporter.text(of: file, as: format, host: arguments["--host"]))
            return .fine
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func stored(
        _ arguments: Arguments, _ format: ExportFormat, in server: ServerClient
    ) async throws(UsageError) -> CheckExit {
        guard arguments.words.isEmpty else { throw UsageError("give files or --server, not both") }
        guard let id = arguments["--pin-set"], !id.isEmpty, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw UsageError("--server needs --pin-set ID: a number that `import --server` printed")
        }
        do throws(ServerClient.Failure) {
            Terminal.file(try await server.ask("/pin-sets/\(id)/export?format=\(format.rawValue)"))
            return .fine
        } catch {
            return try error.told(by: name)
        }
    }

    private static func format(_ arguments: Arguments) throws(UsageError) -> ExportFormat {
        guard let name = arguments["--format"] else { return .native }
        guard let format = ExportFormat(rawValue: name) else {
            let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--format takes \(known), not \"\(name)\"")
        }
        return format
    }
}
