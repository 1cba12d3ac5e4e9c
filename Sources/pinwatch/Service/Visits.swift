internal import PinwatchCore
internal import Synchronization

/// Which targets are under way, so that none is visited twice at once, and who waits for a scan that was asked for by
/// hand.
final class Visits: Sendable {
    /// What became of a scan for those who asked for it: what it saw once recorded, `nil` if it was not.
    typealias Answer = CheckedContinuation<[Observation]?, Never>

    private struct State {
        /// Submitted, and neither recorded nor given up.
        var underWay: [TargetID: [Int: Answer]] = [:]
        /// Asked for while a scan was under way that may have begun before: visited again once that one is done.
        var again: [TargetID: (target: Target, answers: [Int: Answer])] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// - Returns: False if the target is under way already.
    func begin(_ id: TargetID) -> Bool {
        state.withLock { state in
            guard state.underWay[id] == nil else { return false }
            state.underWay[id] = [:]
            return true
        }
    }

    /// Whether a scan by hand must be submitted now: else it follows the one that is under way.
    func beginByHand(_ target: Target) -> Bool {
        state.withLock { state in
            guard state.underWay[target.id] != nil else {
                state.underWay[target.id] = [:]
                return true
            }
            if state.again[target.id] == nil { state.again[target.id] = (target, [:]) }
            return false
        }
    }

    /// Waits for the scan that ``beginByHand(_:)`` began or put behind another.
    ///
    /// - Returns: `nil` if it was not recorded by the end of `limit`, or if the task is cancelled.
    func answer(of id: TargetID, within limit: Duration) async -> [Observation]? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let clock = Task {
            try? await Task.sleep(for: limit)
            giveUp(number, of: id)
        }
        defer { clock.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.again[id] != nil {
                        state.again[id]?.answers[number] = continuation
                        return true
                    }
                    guard state.underWay[id] != nil else { return false }
                    state.underWay[id]?[number] = continuation
                    return true
                }
                if !isWaiting { continuation.resume(returning: nil) }
            }
        } onCancel: {
            giveUp(number, of: id)
        }
    }

    /// Those who wait for an answer now.
    var waiting: Int {
        state.withLock { state in
            state.underWay.values.reduce(0) { $0 + $1.count }
                + state.again.values.reduce(0) { $0 + $1.answers.count }
        }
    }

    private func giveUp(_ number: Int, of id: TargetID) {
        let answer = state.withLock { state in
            state.underWay[id]?.removeValue(forKey: number) ?? state.again[id]?.answers.removeValue(forKey: number)
        }
        answer?.resume(returning: nil)
    }

    /// The target is no longer under way: tells those who waited.
    ///
    /// - Parameter observations: What was recorded; `nil` if nothing was.
    /// - Returns: The target if it is under way again, because somebody asked meanwhile: it is to be submitted.
    func end(_ id: TargetID, _ observations: [Observation]?) -> Target? {
        let (answers, next) = state.withLock { state in
            let answers = state.underWay.removeValue(forKey: id) ?? [:]
            guard let next = state.again.removeValue(forKey: id) else { return (answers, nil as Target?) }
            state.underWay[id] = next.answers
            return (answers, next.target)
        }
        for answer in answers.values { answer.resume(returning: observations) }
        return next
    }
}
