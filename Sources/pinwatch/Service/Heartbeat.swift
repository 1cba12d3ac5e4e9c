internal import PinwatchAlert
internal import PinwatchCore
internal import PinwatchStore

/// Calls a URL every few minutes for as long as all is well, so that whoever watches for the calls notices a dead service:
/// nobody else can tell of that.
struct Heartbeat: Sendable {
    /// Soonest after a call that was not taken.
    private static let retrySeconds: Int64 = 30

    /// What the configuration in force says.
    let settings: @Sendable () -> Configuration.Heartbeat?
    let http: HTTPSend
    let store: Store
    let pulse: Pulse
    let clock: @Sendable () -> Instant

    /// Until the task is cancelled.
    func run() async {
        let told = LastReason()
        var next = clock()
        while !Task.isCancelled {
            if let settings = settings(), clock() >= next {
                var trouble = await trouble()
                if trouble == nil { trouble = refusal(await call(settings.url)) }
                if let trouble {
                    if told.isNew(trouble) { Log.warning(.service, "no heartbeat: \(trouble)") }
                } else {
                    told.clear()
                }
                next =
                    clock() + (trouble == nil ? settings.everySeconds : min(settings.everySeconds, Self.retrySeconds))
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Why the service is not well.
    private func trouble() async -> String? {
        if let seconds = pulse.standstill { return "the schedule has not come round for \(seconds) s" }
        if let problem = await store.writeProblem(now: Machine.now()) { return problem }
        do {
            return try await store.hasStaleScans() ? "no scan has finished for long" : nil
        } catch {
            return String(describing: error)
        }
    }

    private func call(_ url: Secret) async -> HTTPExchange {
        await http(
            HTTPRequest(url: url, headers: [], method: .get, body: [], addresses: AddressRule(allowPrivate: true)))
    }

    private func refusal(_ exchange: HTTPExchange) -> String? {
        switch exchange.outcome {
        case .success(let answer): (200..<300).contains(answer.status) ? nil : "it was answered by \(answer.status)"
        case .failure(let failure): "it was not taken: \(failure)"
        }
    }
}
