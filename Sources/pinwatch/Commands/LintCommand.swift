internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport

/// `pinwatch lint`
enum LintCommand: Command {
    private enum Format: String, CaseIterable {
        case text, json, sarif
    }

    static let name = "lint"
    static let summary = "find traps in pins, and in the sources that use them"
    static let help = """
        usage: pinwatch lint FILE… [--format text|json|sarif] [options]

        Names every trap, fault and doubt, with its place, why it is one and what to write instead. Takes whatever
        `pinwatch import` takes, and an app's other sources beside: Swift, Objective-C, Kotlin, Java, Info.plist and
        network_security_config.xml. Files of several platforms are held against one another.

        Certificates among the files are taken for the app's bundle. Secrets in logs or key chains are not looked for.

          --format F           text (default), json, or sarif (2.1.0, for code hosts)
          --app A --release R --variant V --client C --host NAME --set NAME=VALUE
                               as import takes them; code of the other variant's builds is read too

        Private keys are refused. exit status: 0 no error · 1 an error: what the client refuses, or what fails open
                               silently · 2 bad arguments or files
        """
    static let syntax = ArgumentSyntax(
        options: PinInput.options.union(["--format"]), repeatable: ["--set"], words: 1...Importer.fileLimit)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let word = arguments["--format"] ?? Format.text.rawValue
        guard let format = Format(rawValue: word) else {
            throw UsageError(
                "--format takes \(Format.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(word)\"")
        }
        let linter = Linter(
            context: try PinInput.context(arguments), now: Machine.now(), resources: InputFile.resources,
            native: native)
        let problems: [LintProblem]
        do { problems = try linter.lint(try PinInput.files(arguments.words)) } catch { throw UsageError("\(error)") }
        switch format {
        case .text: Terminal.file(LintReport.text(problems))
        case .json: Terminal.file(LintReport.json(problems))
        case .sarif: Terminal.file(LintReport.sarif(problems, version: Pinwatch.version))
        }
        return problems.contains { $0.severity == .error } ? .bad : .fine
    }

    /// `file:` pins lie beside the file that names them.
    private static let native: @Sendable (HandedFile) -> Result<PinSetDefinition, InputProblems> = { file in
        let decoder = PinFileDecoder(
            sources: .fileSystem(environment: Machine.environment), resources: InputFile.resources)
        do throws(InputProblems) { return .success(try decoder.definition(at: file.name)) } catch {
            return .failure(error)
        }
    }
}
