internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchTLS

/// `pinwatch import`
enum ImportCommand: Command {
    static let name = "import"
    static let summary = "read the apps' own pin files into the native format"
    static let help = """
        usage: pinwatch import FILE… [--app A --release R --variant V] [options]

        Reads what an app keeps its pins in, recognised by content: Info.plist, TrustKit dictionaries, Android's network
        security configuration, OkHttp and Alamofire sources with their certificates beside, curl and wget lines, HPKP
        headers, Wultra lists, certificates, keys, signing requests and bare pins. The files are those of one release.
        Prints the native pin file; what was left out and what to answer stands before it as comments.

          --app A              the app's name; else the bundle's identifier or the file's name
          --release R          the release
          --variant V          release (default) or debug
          --client C           the client library, where the content fits several
          --host NAME          the host, for formats that name none
          --set NAME=VALUE     the value of a build setting that an Info.plist refers to; may be given more than once
        \(ServerClient.help)
                               with --server the release is stored there and its id printed
          --replace            with --server: in place of the pin set that is the same release

        Private keys are refused. exit status: 0 printed · 2 bad arguments or files · 3 a question must be answered first
        """
    static let syntax = ArgumentSyntax(
        options: PinInput.options.union(ServerClient.options), flags: ["--replace"], repeatable: ["--set"],
        words: 1...Importer.fileLimit)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let context = try PinInput.context(arguments)
        if let server = try ServerClient(arguments) {
            let files = try PinInput.files(arguments.words)
            // Before anything leaves this machine.
            for file in files {
                do { try KeyMaterialReader.refusePrivateKey(file.bytes) } catch {
                    throw UsageError("\(file.name): \(error.description)")
                }
            }
            do throws(ServerClient.Failure) {
                try await store(files, context, in: server, replacing: arguments.has("--replace"))
                return .fine
            } catch {
                return try error.told(by: name)
            }
        }
        guard !arguments.has("--replace") else { throw UsageError("--replace goes with --server") }
        let imported: Imported
        do { imported = try Importer.release(try PinInput.files(arguments.words), context: context) } catch {
            throw UsageError("\(error)")
        }
        Terminal.file(ImportReport.text(imported))
        for question in imported.questions where question.mustAnswer {
            Terminal.error("import: \(imported.origin): \(question.words)")
        }
        return imported.questions.contains(where: \.mustAnswer) ? .couldNotTell : .fine
    }

    /// Prints the id of each pin set that came of it.
    private static func store(
        _ files: [HandedFile], _ context: ImportContext, in server: ServerClient, replacing: Bool
    ) async throws(ServerClient.Failure) {
        var members: [(String, JSON)] = [
            ("files", .array(files.map(\.json))), ("variant", .string(context.variant.rawValue)),
            ("replace", .bool(replacing)),
        ]
        let given = [
            ("app", context.app), ("release", context.release), ("client", context.client?.rawValue),
            ("host", context.host),
        ]
        for case (let name, let value?) in given { members.append((name, .string(value))) }
        if !context.buildSettings.isEmpty {
            let settings = context.buildSettings.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
            members.append(("build_settings", .object(settings)))
        }
        let answer = try await server.json("/pin-sets/import", posting: .object(members))
        let ids = (answer["items"]?.asItems ?? []).compactMap { $0["id"]?.asText }
        guard !ids.isEmpty else { throw .unreachable("the server answers, but not as a Pinwatch of this version does") }
        for id in ids { Terminal.out(id) }
    }
}
