internal import PinwatchCore
internal import PinwatchStore

/// Gives the service manager a sign of life for as long as the loops come round and the store answers.
struct Watchdog: Sendable {
    /// A loop that has not come round for as many seconds stands still.
    private static let patience: Int64 = 30

    let notice: ServiceNotice
    let pulse: Pulse
    let store: Store

    /// Returns at once where no sign is wanted; else runs until the task is cancelled.
    func run() async {
        guard let seconds = notice.watchdogSeconds, seconds > 0 else { return }
        let told = LastReason()
        while !Task.isCancelled {
            // A question that the store does not answer holds this up, and so the sign: that is its meaning.
            _ = await store.writeProblem(now: Machine.now())
            let silence = pulse.silence
            if silence <= Self.patience {
                notice.alive()
                told.clear()
            } else if told.isNew("silence") {
                Log.error(
                    .service, "the schedule has not come round for \(silence) s; the service manager may restart it")
            }
            try? await Task.sleep(for: .seconds(seconds / 2))
        }
    }
}
