internal import Glibc
internal import PinwatchCore

/// What the service adds to a bare handshake, how it bears targets that stall, and what it writes while nothing changes.
/// `Benchmarks/run` starts the servers, runs this, and prints the table.
@main
enum Benchmarks {
    static func main() async {
        do {
            signal(SIGPIPE, SIG_IGN)
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            switch options.mode {
            case .scan: try await scan(options, paused: false)
            case .periods: try await scan(options, paused: true)
            case .stall: try await stall(options)
            case .crowd: try await Crowd.measure(options)
            case .rounds: try await Rounds.measure(options)
            case .seed: try await Seed.fill(options)
            case .verdicts: try Verdicts.measure(options)
            }
        } catch {
            print("PinwatchBenchmarks: \(error)")
            exit(2)
        }
    }

    private static func scan(_ options: Options, paused: Bool) async throws {
        let pipeline = try await Pipeline(options)
        for _ in 0..<options.warmUp { _ = try await pipeline.pass() }
        if paused { pause() }
        let before = Usage.now()
        var failed = 0
        for _ in 0..<options.passes { failed += try await pipeline.pass() }
        let scans = pipeline.live.count * options.passes
        report(scans: scans, failed: failed, from: before)
        if paused { pause() }
        try await pipeline.close()
    }

    /// The stalling targets come first, where they are most in the way.
    private static func stall(_ options: Options) async throws {
        let pipeline = try await Pipeline(options)
        for _ in 0..<options.warmUp { _ = try await pipeline.pass() }
        let before = Usage.now()
        pipeline.submit(pipeline.others)
        pipeline.submit(pipeline.live)
        let failed = try await pipeline.record(pipeline.live.count) { scan in
            scan.target.settings.identity.port == options.port
        }
        report(scans: pipeline.live.count, failed: failed, from: before)
        try await pipeline.close()
    }

    private static func report(scans: Int, failed: Int, from before: Usage) {
        let after = Usage.now()
        print(
            JSON.object([
                ("scans", .whole(scans)), ("failed", .whole(failed)),
                ("cpu_us", .number((after.cpu - before.cpu) / Double(max(scans, 1)) * 1e6)),
                ("wall_s", .number(after.wall - before.wall)),
            ]).text)
        fflush(nil)
    }

    /// Lets the script look at the database while it is open and nothing moves.
    static func pause() {
        print("{\"paused\":true}")
        fflush(nil)
        _ = readLine()
    }
}
