internal import PinwatchCore
internal import PinwatchTLS

/// `pinwatch demo`
enum DemoCommand: Command {
    static let name = "demo"
    static let summary = "show the whole story on this machine: three hosts, their pins, and what is told"
    static let help = """
        usage: pinwatch demo [--port N] [--seconds N] [--public DIR]

        Starts a private authority, three TLS hosts, a webhook receiver that verifies signatures, and the service that
        watches them, all on loopback and in a folder that is removed at the end. Then one host renews with its key, one
        moves to its backup pin, and one moves to a key that nobody pinned, and back. The service runs on until Ctrl-C.

          --port N       of the dashboard (8090); 0 takes a free one
          --seconds N    ends by itself after so long
          --public DIR   the dashboard's files (\(Serve.standardPublic))

        exit status: 0 the story was told, or Ctrl-C · 1 something did not come as it should · 2 it could not start
        """
    static let syntax = ArgumentSyntax(options: ["--port", "--seconds", "--public"])

    /// Why the demonstration ends.
    private enum End: Sendable {
        case interrupted, timeIsUp
        case failed(String)
    }

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let port = try arguments.number("--port", in: 0...65_535) ?? 8_090
        let seconds = try arguments.number("--seconds", in: 1...86_400)
        let stopping = Signals.stopping()
        let stage = try await DemoStage.build(port: port, publicFolder: arguments["--public"] ?? Serve.standardPublic)
        introduce(stage)
        let (ends, end) = AsyncStream<End>.makeStream()
        let story = Task {
            do {
                try await DemoStory(stage).tell()
                return true
            } catch {
                if !Task.isCancelled { end.yield(.failed("\(error)")) }
                return false
            }
        }
        let others = [
            Task { for await _ in stopping.prefix(1) { end.yield(.interrupted) } },
            Task {
                guard let seconds else { return }
                try? await Task.sleep(for: .seconds(seconds))
                end.yield(.timeIsUp)
            },
        ]
        var status = CheckExit.fine
        for await reason in ends.prefix(1) {
            story.cancel()
            status = await close(reason, told: story.value)
        }
        for task in others { task.cancel() }
        await stage.stop()
        return status
    }

    private static func introduce(_ stage: DemoStage) {
        Terminal.out(
            "Three TLS hosts, an app's pins for them, and a service that scans every \(DemoStage.periodSeconds) s:")
        for host in stage.hosts { Terminal.out("  \(host.name) on 127.0.0.1:\(host.server.port)") }
        Terminal.out("Dashboard: http://\(stage.service.address)/   (Ctrl-C stops)\n")
    }

    private static func close(_ end: End, told: Bool) -> CheckExit {
        switch end {
        case .interrupted: return .fine
        case .timeIsUp:
            if !told { Terminal.error("demo: time was up before the story was told") }
            return told ? .fine : .bad
        case .failed(let reason):
            Terminal.error("demo: \(reason)")
            return .bad
        }
    }
}
