internal import PinwatchCore
internal import PinwatchHTTP
internal import Synchronization

/// What the pipeline has done since the start, for `/metrics`.
final class ScanCounts: Sendable {
    private struct Tally {
        var scans = 0
        var skipped = 0
        var lost = 0
        var milliseconds: Int64 = 0
        /// Seconds from when a scan was due to when its first address was visited, summed.
        var late: Int64 = 0
        var outcomes: [String: Int] = [:]
        var lastRecordedAt: Instant?
    }

    private let tally = Mutex(Tally())

    func recorded(_ scans: [Scan]) {
        tally.withLock { tally in
            tally.scans += scans.count
            for scan in scans {
                guard let began = scan.observations.lazy.map(\.at).min() else { continue }
                tally.late += max(0, began.seconds(since: scan.startedAt))
            }
            for observation in scans.lazy.flatMap(\.observations) {
                tally.outcomes[observation.outcome.word, default: 0] += 1
                tally.milliseconds += observation.durationMilliseconds
            }
            tally.lastRecordedAt = scans.map(\.endedAt).max() ?? tally.lastRecordedAt
        }
    }

    /// A target was due while its scan before was not done, or the scanner's queue was full.
    func skipped() { tally.withLock { $0.skipped += 1 } }

    /// Scans could not be recorded, and are given up.
    func lost(_ scans: Int) { tally.withLock { $0.lost += scans } }

    var families: [MetricFamily] {
        let now = tally.withLock { $0 }
        return [
            MetricFamily(
                name: "pinwatch_scans_total", kind: .counter, help: "Scans recorded since the start.",
                value: Double(now.scans)),
            MetricFamily(
                name: "pinwatch_scans_skipped_total", kind: .counter,
                help: "Scans that fell due while the target's scan before was under way, or the queue was full.",
                value: Double(now.skipped)),
            MetricFamily(
                name: "pinwatch_scans_lost_total", kind: .counter,
                help: "Scans given up because they could not be recorded; the log says why.", value: Double(now.lost)),
            MetricFamily(
                name: "pinwatch_observations_total", kind: .counter, help: "Observations recorded, by outcome.",
                samples: now.outcomes.sorted { $0.key < $1.key }.map { outcome, count in
                    MetricFamily.Sample(Double(count), labels: [.init("outcome", outcome)])
                }),
            MetricFamily(
                name: "pinwatch_observation_seconds_total", kind: .counter,
                help: "Time that recorded observations took, connecting included, summed.",
                value: Double(now.milliseconds) / 1_000),
            MetricFamily(
                name: "pinwatch_scan_lateness_seconds_total", kind: .counter,
                help: "Time that recorded scans waited between being due and their first connection, summed.",
                value: Double(now.late)),
        ]
            + (now.lastRecordedAt.map { at in
                [
                    MetricFamily(
                        name: "pinwatch_last_scan_timestamp_seconds", kind: .gauge,
                        help: "When the newest recorded scan ended, in Unix seconds.", value: Double(at.unixSeconds))
                ]
            } ?? [])
    }
}
