internal import Synchronization

/// Answers given since the start, by the first digit of their status.
final class RequestCounts: Sendable {
    private let counts = Mutex<[Int]>([0, 0, 0, 0, 0])

    func count(_ status: Int) {
        guard (100..<600).contains(status) else { return }
        counts.withLock { $0[status / 100 - 1] += 1 }
    }

    var family: MetricFamily {
        let now = counts.withLock { $0 }
        return MetricFamily(
            name: "pinwatch_http_requests_total", kind: .counter, help: "HTTP requests answered, by class of status.",
            samples: now.enumerated().map { .init(Double($1), labels: [.init("class", "\($0 + 1)xx")]) })
    }
}
