internal import PinwatchCore
internal import PinwatchScan

/// Targets that fall due in the same second and so are handed over together, among them servers that stall, drip a byte
/// at a time or send megabytes.
///
/// A live target's time is from when it is due until its scan can be taken, waiting for a place included.
enum Crowd {
    private struct Times {
        var scanned: [Double] = []
        var recorded: [Double] = []
        var failed = 0
        var longOutcome = "none"
    }

    static func measure(_ options: Options) async throws {
        let pipeline = try await Pipeline(options)
        for _ in 0..<options.warmUp { _ = try await pipeline.pass() }
        let due = order(pipeline, options)
        let begun = Usage.now().wall
        let (batches, taken) = AsyncStream<[(scan: Scan, at: Double)]>.makeStream()
        pipeline.submit(due)
        async let times = record(batches, pipeline, options, from: begun)
        var awaited = Set(due.filter { $0.settings.identity.port != options.stallPort }.map(\.id))
        for target in due where target.settings.identity.port == options.dripPort { awaited.remove(target.id) }
        while !awaited.isEmpty {
            let scans = await pipeline.nextScans()
            guard !scans.isEmpty else { throw BenchmarkError.endedEarly(left: awaited.count) }
            let now = Usage.now().wall
            for scan in scans { awaited.remove(scan.target.id) }
            taken.yield(scans.map { ($0, now) })
        }
        taken.finish()
        try await report(times)
        try await pipeline.close()
    }

    /// Those that send megabytes first, so that they are read while the others come.
    private static func order(_ pipeline: Pipeline, _ options: Options) -> [Target] {
        let isLong = { (target: Target) in target.settings.identity.port == options.longPort }
        return pipeline.watched.filter(isLong) + pipeline.watched.filter { !isLong($0) }
    }

    private static func record(
        _ batches: AsyncStream<[(scan: Scan, at: Double)]>, _ pipeline: Pipeline, _ options: Options,
        from begun: Double
    ) async throws -> Times {
        var times = Times()
        for await batch in batches {
            try await pipeline.record(batch.map(\.scan))
            let now = Usage.now().wall
            for (scan, at) in batch {
                let outcome = scan.observations.first?.outcome
                if scan.target.settings.identity.port == options.longPort {
                    times.longOutcome = outcome?.word ?? "none"
                }
                guard scan.target.settings.identity.port == options.port else { continue }
                if outcome != .ok { times.failed += 1 }
                times.scanned.append(at - begun)
                times.recorded.append(now - begun)
            }
        }
        return times
    }

    private static func report(_ times: Times) {
        print(
            JSON.object([
                ("scans", .whole(times.scanned.count)), ("failed", .whole(times.failed)),
                ("p50_ms", .number(times.scanned.percentile(50) * 1_000)),
                ("p99_ms", .number(times.scanned.percentile(99) * 1_000)),
                ("recorded_p99_ms", .number(times.recorded.percentile(99) * 1_000)),
                ("long_outcome", .string(times.longOutcome)),
                ("peak_kib", .whole(Usage.peakKibibytes())),
            ]).text)
    }
}
