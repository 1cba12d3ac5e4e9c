internal import PinwatchCore
internal import Synchronization

/// Judges servers that ask for a client certificate, on a thread of its own: paths are built there and not on a loop.
///
/// Whoever asks has one question open at a time and asks none after its deadline, so that there are no more questions than
/// visits. One that nobody waits for any more is passed over.
final class ServerVerifier: Sendable {
    struct Question: Sendable {
        let chain: Chain
        let offer: ClientOffer
        /// The loop that is answered, and its name for the connection.
        let loop: Int
        let token: UInt64
        let deadline: MonotonicTime
    }

    private struct State {
        var questions = FIFO<Question>()
        var answers: [[(token: UInt64, answer: ClientCertificateAnswer)]]
        var isOver = false
    }

    private let state: Mutex<State>
    private let poller: Poller
    private let loops: [Poller]
    private let judge: Scanner.ServerJudge

    init(loops: [Poller], judge: @escaping Scanner.ServerJudge) throws(ScanError) {
        state = Mutex(State(answers: Array(repeating: [], count: loops.count)))
        poller = try Poller()
        self.loops = loops
        self.judge = judge
    }

    func ask(_ question: Question) {
        state.withLock { $0.questions.append(question) }
        poller.wake()
    }

    /// The answers for a loop since the last call.
    func answers(for loop: Int) -> [(token: UInt64, answer: ClientCertificateAnswer)] {
        state.withLock { state in
            guard !state.answers[loop].isEmpty else { return [] }
            defer { state.answers[loop] = [] }
            return state.answers[loop]
        }
    }

    /// Works until ``stop()``.
    func run() {
        var ready: [Poller.Ready] = []
        while true {
            let (next, isOver) = state.withLock { ($0.questions.popFirst(), $0.isOver) }
            if isOver { return }
            guard let next else {
                poller.wait(milliseconds: -1, into: &ready)
                continue
            }
            guard MonotonicTime.now() < next.deadline else { continue }
            let verification = judge(next.chain, next.offer.trustStore, next.offer.reference)
            let answer = ClientCertificateAnswer(verification, for: next.offer)
            state.withLock { $0.answers[next.loop].append((next.token, answer)) }
            loops[next.loop].wake()
        }
    }

    /// Ends ``run()`` after the question that is being judged. For any thread.
    func stop() {
        state.withLock { $0.isOver = true }
        poller.wake()
    }
}
