internal import PinwatchCore
internal import PinwatchImport

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

        Private keys are refused. exit status: 0 printed · 2 bad arguments or files · 3 a question must be answered first
        """
    static let syntax = ArgumentSyntax(options: PinInput.options, repeatable: ["--set"], words: 1...Importer.fileLimit)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let context = try PinInput.context(arguments)
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
}
