internal import PinwatchCore
internal import PinwatchScan

/// Periods as the service's schedule makes them, by a clock that goes faster than time: `speed` times the load a second.
///
/// Before come passes without a pause, until counters, findings and the narrowed hellos have left what they leave.
enum Rounds {
    private struct Tally {
        /// Seconds of time, not of the clock.
        var late: [Double] = []
        var unexpected = 0
    }

    /// The timeout of stalling targets in the first passes, which so are over soon.
    private static let shortTimeout: Int64 = 2

    static func measure(_ options: Options) async throws {
        let pipeline = try await Pipeline(options)
        for pass in 0..<options.warmUp {
            let isLast = pass == options.warmUp - 1
            pipeline.useTimeout(Fleet.timeoutSeconds(options))
            let failed = try await pipeline.pass(of: pipeline.live, hellos: pass == 0 ? .everyFamily : .phone)
            // An ECDSA server has no RSA key, which is no outcome `ok`.
            guard pass == 0 || failed == 0 else { throw BenchmarkError.setup("\(failed) live targets failed") }
            pipeline.useTimeout(isLast ? Fleet.timeoutSeconds(options) : shortTimeout)
            _ = try await pipeline.pass(of: pipeline.others)
        }
        Benchmarks.pause()
        let before = Usage.now()
        let tally = try await rounds(pipeline, options)
        let after = Usage.now()
        print(
            JSON.object([
                ("scans", .whole(tally.late.count)), ("failed", .whole(tally.unexpected)),
                ("late_p50_s", .number(tally.late.percentile(50))), ("late_p99_s", .number(tally.late.percentile(99))),
                ("wall_s", .number(after.wall - before.wall)), ("cpu_s", .number(after.cpu - before.cpu)),
                ("written_bytes", .number(after.written - before.written)),
                ("peak_kib", .whole(Usage.peakKibibytes())),
            ]).text)
        Benchmarks.pause()
        try await pipeline.close()
    }

    private static func rounds(_ pipeline: Pipeline, _ options: Options) async throws -> Tally {
        let begun = pipeline.now
        let (schedule, dues) = plan(pipeline.watched, from: begun)
        async let dispatched: Void = dispatch(schedule, pipeline, options, from: begun)
        async let judged: Void = judge(pipeline, options, until: begun + Fleet.periodSeconds * Int64(options.passes))
        let tally = try await record(pipeline, options, dues: dues)
        await dispatched
        try await judged
        return tally
    }

    /// A schedule that has every target due once in the first period, and when.
    private static func plan(_ targets: [Target], from begun: Instant) -> (Schedule, [TargetID: Instant]) {
        var (schedule, dues): (Schedule, [TargetID: Instant]) = (Schedule(), [:])
        for (place, target) in targets.enumerated() {
            let due = begun + Fleet.periodSeconds * Int64(place) / Int64(targets.count)
            schedule.set(
                target, periodSeconds: Fleet.periodSeconds, narrowedSeconds: 86_400,
                lastScanAt: due - Fleet.periodSeconds, now: begun)
            dues[target.id] = due
        }
        return (schedule, dues)
    }

    /// Moves the clock and submits what is due.
    private static func dispatch(
        _ filled: Schedule, _ pipeline: Pipeline, _ options: Options, from begun: Instant
    ) async {
        var schedule = filled
        let start = Usage.now().wall
        let end = begun + Fleet.periodSeconds * Int64(options.passes)
        while pipeline.now < end {
            try? await Task.sleep(for: .milliseconds(20))
            let passed = Int64((Usage.now().wall - start) * Double(options.speed))
            pipeline.pass(min(begun + passed, end).seconds(since: pipeline.now))
            for scan in schedule.takeDue(now: min(pipeline.now, end - 1), limit: 10_000) { pipeline.submit(scan) }
        }
    }

    private static func judge(_ pipeline: Pipeline, _ options: Options, until end: Instant) async throws {
        while pipeline.now < end {
            try await pipeline.judgeDue()
            try? await Task.sleep(for: .milliseconds(1_000 / max(options.speed, 1)))
        }
    }

    private static func record(
        _ pipeline: Pipeline, _ options: Options, dues first: [TargetID: Instant]
    ) async throws -> Tally {
        var (tally, dues) = (Tally(), first)
        var left = pipeline.watched.count * options.passes
        while left > 0 {
            let scans = await pipeline.nextScans()
            guard !scans.isEmpty else { throw BenchmarkError.endedEarly(left: left) }
            try await pipeline.record(scans)
            left -= scans.count
            for scan in scans {
                guard let seen = scan.observations.first, let due = dues[scan.target.id] else { continue }
                dues[scan.target.id] = due + Fleet.periodSeconds
                tally.late.append(Double(seen.at.seconds(since: due)) / Double(max(options.speed, 1)))
                let isLive = scan.target.settings.identity.port == options.port
                if (seen.outcome == .ok) != isLive { tally.unexpected += 1 }
            }
        }
        return tally
    }
}
