internal import Glibc
internal import PinwatchCore
internal import PinwatchStore

/// `pinwatch backup`
enum BackupCommand: Command {
    static let name = "backup"
    static let summary = "copy the database, also while the service runs"
    static let help = """
        usage: pinwatch backup FILE [--config FILE] [--replace]

        Writes a copy of the database as it is at one moment, complete or not at all. The service may run meanwhile.
        Secrets that came by the API are in it as they are stored: sealed under secret_key, which is not in it.

          --replace    overwrite FILE if it is there

        To restore: stop the service, copy FILE to the configuration's `database`, remove the files beside it that end in
        -wal and -shm, and start. What was delivered after the copy was made may be delivered once more.

        exit status: 0 done · 2 bad arguments, or the copy could not be made
        """
    static let syntax = ArgumentSyntax(options: ["--config"], flags: ["--replace"], words: 1...1)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let configuration = try ConfigurationFile.read(arguments["--config"])
        // Opening one would make it, and the copy of nothing would look like a backup.
        guard unsafe access(configuration.database, F_OK) == 0 else {
            throw UsageError(
                "there is no database \(configuration.database) to copy; see `database` in the configuration")
        }
        do {
            let store = try await Store.open(path: configuration.database, now: Machine.now())
            try await store.backup(to: arguments.words[0], replacing: arguments.has("--replace"))
            try await store.close()
            Terminal.out("\(arguments.words[0]) holds the database as it is now, and was checked")
            return .fine
        } catch {
            throw UsageError("\(error)")
        }
    }
}
