internal import PinwatchCore
internal import PinwatchStore
internal import Synchronization

/// What changes in the schedule while it runs: put in by whoever learns of it, taken out by the one who keeps it.
final class ScheduleChanges: Sendable {
    /// A target as it is now, or that it is no longer watched.
    enum Change: Sendable {
        case watch(Target, lastScanAt: Instant?)
        case forget
    }

    private let changes = Mutex<[TargetID: Change]>([:])

    func add(_ targets: [Synchronized.Scheduled]) {
        changes.withLock { changes in
            for entry in targets { changes[entry.target.id] = .watch(entry.target, lastScanAt: entry.lastScanAt) }
        }
    }

    func add(_ targets: [TargetID: Target?]) {
        guard !targets.isEmpty else { return }
        changes.withLock { changes in
            for (id, target) in targets { changes[id] = target.map { .watch($0, lastScanAt: nil) } ?? .forget }
        }
    }

    /// All since the last call, of each target the newest.
    func take() -> [TargetID: Change] {
        changes.withLock { changes in
            defer { changes = [:] }
            return changes
        }
    }
}
