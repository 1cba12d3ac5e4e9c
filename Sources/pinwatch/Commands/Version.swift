internal import PinwatchCore

/// `pinwatch version`
enum Version: Command {
    static let name = "version"
    static let summary = "print the version"
    static let help = "usage: pinwatch version"
    static let syntax = ArgumentSyntax()

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        Terminal.out("pinwatch \(Pinwatch.version)")
        return .fine
    }
}
