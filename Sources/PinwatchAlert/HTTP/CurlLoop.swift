internal import CCurl
internal import Synchronization

/// A libcurl multi handle and the thread's loop over it. ``run()`` and what it calls belong to that thread alone; the
/// other methods may be called from any.
@safe final class CurlLoop {
    typealias Answer = CheckedContinuation<HTTPExchange, Never>

    private enum Stage {
        /// Opened by a caller who has not submitted yet.
        case open
        case cancelledEarly
        case submitted
    }

    private struct Inbox {
        var lastID: UInt64 = 0
        var stages: [UInt64: Stage] = [:]
        var submitted: [(id: UInt64, request: HTTPRequest, answer: Answer)] = []
        var cancelled: [UInt64] = []
        var stopping = false
    }

    private struct Flight {
        let id: UInt64
        let transfer: CurlTransfer
        let answer: Answer
    }

    private let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private let userAgent: String
    private let timeoutMilliseconds: Int

    init(userAgent: String, timeoutMilliseconds: Int) throws(AlertError) {
        // Counted by the library, and safe beside other threads as Debian builds it (CURL_VERSION_THREADSAFE).
        guard curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK else {
            throw .client("curl_global_init failed")
        }
        guard let multi = unsafe curl_multi_init() else {
            curl_global_cleanup()
            throw .client("curl_multi_init failed: out of memory")
        }
        unsafe self.multi = unsafe multi
        self.userAgent = userAgent
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    deinit {
        _ = unsafe curl_multi_cleanup(multi)
        curl_global_cleanup()
    }

    func open() -> UInt64 {
        inbox.withLock { inbox in
            inbox.lastID += 1
            inbox.stages[inbox.lastID] = .open
            return inbox.lastID
        }
    }

    func submit(_ request: HTTPRequest, as id: UInt64, answer: Answer) {
        let accepted = inbox.withLock { inbox in
            guard !inbox.stopping, inbox.stages[id] == .open else {
                inbox.stages[id] = nil
                return false
            }
            inbox.stages[id] = .submitted
            inbox.submitted.append((id, request, answer))
            return true
        }
        if accepted { wake() } else { answer.resume(returning: .cancelled) }
    }

    func cancel(_ id: UInt64) {
        let waking = inbox.withLock { inbox in
            switch inbox.stages[id] {
            case .open: inbox.stages[id] = .cancelledEarly
            case .submitted: inbox.cancelled.append(id)
            case .cancelledEarly, nil: return false
            }
            return true
        }
        if waking { wake() }
    }

    func stop() {
        inbox.withLock { $0.stopping = true }
        wake()
    }

    private func wake() {
        _ = unsafe curl_multi_wakeup(multi)
    }

    func run() {
        var flights: [UnsafeMutableRawPointer: Flight] = unsafe [:]
        while true {
            let (submitted, cancelled, stopping) = inbox.withLock { inbox in
                defer { (inbox.submitted, inbox.cancelled) = ([], []) }
                return (inbox.submitted, inbox.cancelled, inbox.stopping)
            }
            for (id, request, answer) in submitted {
                unsafe start(request, id: id, answer: answer, in: &flights)
            }
            for unsafe(easy, flight) in unsafe flights where stopping || cancelled.contains(flight.id) {
                unsafe flights[easy] = nil
                finish(flight, .cancelled)
            }
            if stopping { return }
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            unsafe collect(&flights)
            // The bound only limits the harm of a lost wake-up; the library shortens it to its own next timeout.
            _ = unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    private func start(
        _ request: HTTPRequest, id: UInt64, answer: Answer, in flights: inout [UnsafeMutableRawPointer: Flight]
    ) {
        guard
            let transfer = CurlTransfer(request, userAgent: userAgent, timeoutMilliseconds: timeoutMilliseconds),
            unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK
        else {
            close(id)
            let failure = AttemptFailure.transport("libcurl could not take the request: out of memory")
            return answer.resume(returning: HTTPExchange(outcome: .failure(failure), milliseconds: 0))
        }
        unsafe flights[transfer.easy] = Flight(id: id, transfer: transfer, answer: answer)
    }

    private func collect(_ flights: inout [UnsafeMutableRawPointer: Flight]) {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
                let flight = unsafe flights.removeValue(forKey: easy)
            else { continue }
            // Read before the handle is removed, which frees the message.
            let code = unsafe message.pointee.data.result
            finish(flight, flight.transfer.exchange(code))
        }
    }

    private func finish(_ flight: Flight, _ exchange: HTTPExchange) {
        _ = unsafe curl_multi_remove_handle(multi, flight.transfer.easy)
        close(flight.id)
        flight.answer.resume(returning: exchange)
    }

    private func close(_ id: UInt64) {
        inbox.withLock { $0.stages[id] = nil }
    }
}

extension HTTPExchange {
    fileprivate static let cancelled = HTTPExchange(outcome: .failure(.cancelled), milliseconds: 0)
}

// libcurl-thread(3): handles must never be used by two threads at once. The multi handle is made before the thread
// starts, used by the loop's thread alone, and freed once that has let go of the loop; curl_multi_wakeup(3), the one
// call from outside, "can be called from any thread". Everything else that is shared lies in the mutex.
extension CurlLoop: @unchecked Sendable {}
