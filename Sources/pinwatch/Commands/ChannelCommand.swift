internal import PinwatchAlert
internal import PinwatchCore

/// `pinwatch channel`
enum ChannelCommand: Command {
    static let name = "channel"
    static let summary = "try a channel with a test message"
    static let help = """
        usage: pinwatch channel test NAME [--config FILE] [--json]

        Sends one channel.test message, signed as alerts are, and says what came of it within ten seconds. The channel is
        one of the configuration file; those made by the API are tried there: POST /api/v1/channels/NAME/test.

          --config FILE   the configuration (\(ConfigurationFile.standard))

        exit status: 0 delivered · 1 not delivered · 2 no such channel, bad arguments or configuration
                     3 the test could not be made
        """
    static let syntax = ArgumentSyntax(options: ["--config"], flags: ["--json"], words: 2...2)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        guard arguments.words[0] == "test" else {
            throw UsageError("\"\(arguments.words[0])\" is not done to channels; write channel test NAME")
        }
        let configuration = try ConfigurationFile.read(arguments["--config"])
        let channel = try channel(arguments.words[1], of: configuration)
        let attempt: Attempt
        do {
            let client = try CurlClient(userAgent: "pinwatch/\(Pinwatch.version)")
            let test = ChannelTest(
                links: MessageLinks(base: configuration.publicURL ?? "http://\(configuration.listen)"),
                clock: Machine.now, random: Machine.random, http: { await client.send($0) })
            attempt = try await test.attempt(channel)
        } catch {
            Terminal.error("channel: \(error)")
            return .couldNotTell
        }
        if arguments.has("--json") {
            Terminal.out(json(attempt, channel))
        } else {
            Terminal.out(words(attempt, channel))
        }
        return attempt.isDelivered ? .fine : .bad
    }

    private static func channel(_ name: String, of configuration: Configuration) throws(UsageError) -> Channel {
        if let channel = configuration.channels.first(where: { $0.name == name }) { return channel }
        let names = configuration.channels.map(\.name)
        throw UsageError(
            "the configuration has no channel \"\(name)\"; "
                + (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))")
                + ". One that was made by the API is tried there")
    }

    private static func words(_ attempt: Attempt, _ channel: Channel) -> String {
        let status = attempt.status.map { "HTTP \($0) " } ?? ""
        guard let error = attempt.error else {
            return "channel \(channel.name): delivered, \(status)in \(attempt.milliseconds) ms"
        }
        return "channel \(channel.name): not delivered after \(attempt.milliseconds) ms: \(error)"
    }

    private static func json(_ attempt: Attempt, _ channel: Channel) -> JSON {
        .object([
            ("channel", .string(channel.name)), ("delivered", .bool(attempt.isDelivered)),
            ("status", attempt.status.map { .integer(Int64($0)) } ?? .null),
            ("error", attempt.error.map { .string($0) } ?? .null), ("ms", .integer(attempt.milliseconds)),
        ])
    }
}
