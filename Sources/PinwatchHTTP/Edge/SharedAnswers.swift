internal import PinwatchCore
internal import Synchronization

/// Answers that several clients ask for at the same moment, worked out once: for dashboards that all read the same.
///
/// An answer is shared only while nothing was committed since its making began, within the same second of the clock and
/// between equal targets, so that nobody is told less than by asking alone.
final class SharedAnswers: Sendable {
    private struct Moment: Hashable {
        let version: UInt64
        let second: Instant
    }

    private struct Making {
        let moment: Moment
        let answer: Task<Response, any Error>
    }

    /// Targets for which an answer is kept at once.
    private static let capacity = 64

    private let makings = Mutex<[String: Making]>([:])

    /// - Parameters:
    ///   - version: What the store counted when the request was taken up; `nil` where nothing is known of it.
    ///   - make: Reads the answer; it is not cancelled with the request that began it, for others wait too.
    func answer(
        _ call: Call, version: UInt64?, make: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        guard let version else { return try await make() }
        let moment = Moment(version: version, second: call.now)
        let making = makings.withLock { makings -> Making in
            if let making = makings[call.request.target], making.moment == moment { return making }
            if makings.count >= Self.capacity { makings = [:] }
            let making = Making(moment: moment, answer: Task { try await make() })
            makings[call.request.target] = making
            return making
        }
        return try await making.answer.value
    }
}
