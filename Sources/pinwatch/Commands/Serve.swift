internal import PinwatchCore

/// `pinwatch serve`
enum Serve: Command {
    static let name = "serve"
    static let summary = "scan, alert, and serve the API and the dashboard"
    static let help = """
        usage: pinwatch serve [--config FILE] [--listen ADDR:PORT] [--database FILE] [--public DIR]

          --config FILE       the configuration (\(ConfigurationFile.standard))
          --listen ADDR:PORT  in place of the configuration's; port 0 takes a free one
          --database FILE     in place of the configuration's
          --public DIR        the dashboard's files (\(standardPublic))

        SIGTERM or SIGINT stops it in order, a second one at once.
        exit status: 0 stopped in order · 1 stopped at once · 2 it could not start
        """
    static let syntax = ArgumentSyntax(options: ["--config", "--listen", "--database", "--public"])
    static let standardPublic = "/usr/share/pinwatch/Public"

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let stopping = Signals.stopping()
        var configuration = try ConfigurationFile.read(arguments["--config"])
        if let text = arguments["--listen"] {
            do {
                configuration.listen = try ListenAddress(text)
            } catch {
                throw UsageError("--listen: \(error.description)")
            }
        }
        if let database = arguments["--database"] { configuration.database = database }
        let running = try await RunningService.start(
            configuration, publicFolder: arguments["--public"] ?? standardPublic)
        let base = "http://\(running.address)"
        Terminal.out("Pinwatch is listening. Dashboard: \(base)/   API: \(base)/api/v1/summary")
        await Signals.first(of: stopping)
        await running.stop()
        return .fine
    }
}
