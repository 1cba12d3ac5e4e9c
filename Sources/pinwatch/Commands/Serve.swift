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

        SIGTERM or SIGINT stops it in order, a second one at once. SIGHUP has the configuration read again,
        but ends a service whose log goes to the terminal that hung up.
        exit status: 0 stopped in order · 1 stopped at once · 2 it could not start
        """
    static let syntax = ArgumentSyntax(options: ["--config", "--listen", "--database", "--public"])
    static let standardPublic = "/usr/share/pinwatch/Public"

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let stopping = Signals.stopping()
        var file = ConfigurationFile(arguments["--config"])
        if let text = arguments["--listen"] {
            do {
                file.listen = try ListenAddress(text)
            } catch {
                throw UsageError("--listen: \(error.description)")
            }
        }
        file.database = arguments["--database"]
        let running = try await RunningService.start(
            try file.read(), file: file, publicFolder: arguments["--public"] ?? standardPublic)
        let base = "\(running.isSecure ? "https" : "http")://\(running.address)"
        Terminal.out("Pinwatch is listening. Dashboard: \(base)/   API: \(base)/api/v1/summary")
        ServiceNotice(environment: Machine.environment).ready("serving \(base)/")
        await Signals.first(of: stopping) { await running.reload() }
        await running.stop()
        return .fine
    }
}
