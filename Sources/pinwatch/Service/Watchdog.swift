internal import PinwatchCore
internal import PinwatchStore

/// Gives the service manager a sign of life for as long as the loops come round and the store answers.
struct Watchdog: Sendable {
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
            if let stalled = pulse.standstill {
                if told.isNew("standstill") {
                    Log.error(
                        .service, "the schedule has not come round for \(stalled) s; the service manager may restart it"
                    )
                }
            } else {
                notice.alive()
                told.clear()
            }
            try? await Task.sleep(for: .seconds(seconds / 2))
        }
    }
}
