internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport

/// Pin files of the command line, native or in any format that is imported.
enum PinInput {
    /// The most bytes of one file.
    static let sizeLimit = PinFileDecoder.sizeLimit

    /// What only the caller of an import can know.
    static let options: Set<String> = ["--app", "--release", "--variant", "--client", "--host", "--set"]

    /// How `--pins FILE…` takes further words.
    static let more: [String: @Sendable (String) -> Bool] = ["--pins": { isPinFile($0) }]

    /// Whether a word after `--pins` is one file more: what exists, and what by its spelling can only be meant as a file,
    /// so that a mistyped name is missed rather than visited as a host.
    private static func isPinFile(_ word: String) -> Bool {
        let endings = [
            ".yaml", ".yml", ".json", ".plist", ".xml", ".swift", ".m", ".h", ".kt", ".java", ".cer", ".crt", ".der",
            ".pem", ".p7b", ".csr", ".pins",
        ]
        return endings.contains { word.lowercased().hasSuffix($0) } || word.contains("/") && !word.contains("://")
            || InputFile.exists(word)
    }

    /// The pin sets of `--pins`, for `--client` and `--host` where they do not say themselves; remarks go to stderr.
    static func judged(_ arguments: Arguments, by command: String) throws(UsageError) -> [PinSetDefinition] {
        let files = arguments.all("--pins")
        guard !files.isEmpty else { throw UsageError("--pins FILE is missing: the pins to judge by") }
        let client = try client(arguments)
        var context = ImportContext()
        context.client = client
        context.host = arguments["--host"]
        let (pinSets, remarks) = try pinSets(files, context: context)
        for remark in remarks { Terminal.error("\(command): \(remark)") }
        guard let client else { return pinSets }
        for pinSet in pinSets where !pinSet.layers.contains(where: { $0.client == client }) {
            throw UsageError("\(pinSet.origin) says which client it is for, and that is not \(client.rawValue)")
        }
        return pinSets
    }

    static func files(_ paths: [String]) throws(UsageError) -> [HandedFile] {
        var files: [HandedFile] = []
        for path in paths {
            files.append(HandedFile(name: path, bytes: try InputFile.bytes(path, limit: sizeLimit)))
        }
        return files
    }

    static func context(_ arguments: Arguments) throws(UsageError) -> ImportContext {
        var context = ImportContext()
        context.app = arguments["--app"]
        context.release = arguments["--release"]
        if let word = arguments["--variant"] {
            guard let variant = Variant(rawValue: word) else {
                throw UsageError("--variant takes release or debug, not \"\(word)\"")
            }
            context.variant = variant
        }
        context.client = try client(arguments)
        context.host = arguments["--host"]
        for pair in arguments.all("--set") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("--set takes NAME=VALUE, not \"\(pair)\"")
            }
            context.buildSettings[parts[0]] = parts[1]
        }
        return context
    }

    static func client(_ arguments: Arguments) throws(UsageError) -> Client? {
        guard let name = arguments["--client"] else { return nil }
        guard let client = Client(rawValue: name) else {
            throw UsageError(
                "--client \(name) is no client that pin files know; known are "
                    + Client.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return client
    }

    /// The pin sets of files, in their order; those of the apps' own formats are imported first.
    ///
    /// - Throws: ``UsageError`` for files that cannot be read, and where a verdict would be a guess until a question is
    ///   answered.
    static func pinSets(
        _ paths: [String], context: ImportContext
    ) throws(UsageError) -> (pinSets: [PinSetDefinition], remarks: [String]) {
        let files = try files(paths)
        let foreign = files.filter { !Importer.isNative($0) }
        let imported: [Imported]
        do { imported = foreign.isEmpty ? [] : try Importer.read(foreign, context: context) } catch {
            throw UsageError("\(error)")
        }
        let isNative = Set(paths).subtracting(foreign.map(\.name))
        var pinSets: [PinSetDefinition] = []
        for path in paths {
            if isNative.contains(path) { pinSets.append(try native(path)) }
            for part in imported where part.origin == path { pinSets += try definitions(of: part) }
        }
        // Certificates alone have all their files for an origin.
        for part in imported where !paths.contains(part.origin) { pinSets += try definitions(of: part) }
        return (pinSets, imported.flatMap(\.remarks).map(\.description))
    }

    /// `file:` pins of native files lie beside them.
    private static func native(_ path: String) throws(UsageError) -> PinSetDefinition {
        let decoder = PinFileDecoder(
            sources: .fileSystem(environment: Machine.environment), resources: InputFile.resources)
        do { return try decoder.definition(at: path) } catch { throw UsageError(error.description) }
    }

    private static func definitions(of part: Imported) throws(UsageError) -> [PinSetDefinition] {
        if let question = part.questions.first(where: \.mustAnswer) {
            throw UsageError(
                "\(part.origin): \(question.words) Until then `pinwatch import` shows what was understood.")
        }
        var definitions: [PinSetDefinition] = []
        for root in part.files {
            do {
                definitions.append(
                    try PinFileDecoder.definition(
                        from: root, source: NativePinFile.text(of: root), file: part.origin, managedBy: .config,
                        trustStores: nil, resources: InputFile.resources))
            } catch {
                throw UsageError(error.description)
            }
        }
        return definitions
    }
}
