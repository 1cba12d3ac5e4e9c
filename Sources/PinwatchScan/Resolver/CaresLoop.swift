internal import PinwatchCore
internal import Synchronization

/// The resolver's thread: takes requests, feeds c-ares, and answers at the deadline where c-ares does not.
///
/// A slot stays taken until c-ares is done with its lookup, answered or not.
final class CaresLoop {
    private let mailbox: CaresResolver.Mailbox
    private let channel: CaresChannel
    /// Requests by slot; none where the deadline has answered already.
    private var requests: [CaresResolver.Request?] = []
    private var free: [Int] = []
    private var deadlines = DeadlineHeap()
    private var known = KnownResolutions()

    init(mailbox: CaresResolver.Mailbox, channel: CaresChannel) {
        self.mailbox = mailbox
        self.channel = channel
    }

    /// Works until the resolver is stopped; then every request that is left gets its failure.
    func run() {
        var ready: [Poller.Ready] = []
        while true {
            let inbox = mailbox.inbox.withLock { inbox in
                defer { inbox.requests = [] }
                return inbox
            }
            for request in inbox.requests { begin(request) }
            if inbox.isStopped { break }
            ready.removeAll(keepingCapacity: true)
            mailbox.poller.wait(milliseconds: patience(), into: &ready)
            channel.process(ready)
            expire()
        }
        for (slot, request) in requests.enumerated() {
            if let request { answer(slot, .failure(.stopped(request.name))) }
        }
    }

    private func begin(_ request: CaresResolver.Request) {
        if let addresses = known.addresses(of: request.name, at: .now()) {
            return request.completion(.success(addresses))
        }
        let slot = free.popLast() ?? requests.count
        if slot == requests.count { requests.append(request) } else { requests[slot] = request }
        deadlines.set(slot, to: MonotonicTime.now().adding(milliseconds: request.timeoutMilliseconds))
        channel.lookUp(request.name) { [weak self] result in
            if case .success(let resolution) = result { self?.known.keep(resolution, of: request.name, at: .now()) }
            self?.answer(slot, result.map(\.addresses))
            self?.free.append(slot)
        }
    }

    private func answer(_ slot: Int, _ result: Result<[IPAddress], ResolveFailure>) {
        deadlines.remove(slot)
        requests[slot]?.completion(result)
        requests[slot] = nil
    }

    private func patience() -> Int32 {
        let deadline = deadlines.earliest.map { MonotonicTime.now().wait(until: $0) }
        return [deadline, channel.patience].compactMap { $0 }.min() ?? -1
    }

    private func expire() {
        let now = MonotonicTime.now()
        while let slot = deadlines.expired(at: now) {
            guard let request = requests[slot] else { return deadlines.remove(slot) }
            let message = "\(request.name.ascii) did not resolve within \(request.timeoutMilliseconds) ms."
            answer(slot, .failure(ResolveFailure(message: message)))
        }
    }
}
