internal import PinwatchCore
internal import Synchronization

/// What the edge counts of its own work: answers by class, time by route, refusals by reason.
///
/// Labels are bounded: patterns and methods of routes that exist, and a fixed list of reasons.
final class RequestMeter: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
    }

    private struct Times {
        var count = 0
        var seconds = 0.0
    }

    private struct State {
        var classes = [0, 0, 0, 0, 0]
        var routes: [Key: Times] = [:]
        var refusals: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    /// Statuses that tell of a refusal by the edge, with what they are called here.
    private static let reasons = [
        (401, "authentication"), (403, "authorization"), (408, "timeout"), (413, "body_size"), (414, "target_size"),
        (415, "media_type"), (421, "host"), (429, "rate"), (431, "header_size"), (503, "overload"),
    ]

    /// - Parameters:
    ///   - route: The pattern; `nil` for what no route was found for, and for what was refused before that.
    ///   - duration: From the whole request to its answer; `nil` where nothing was computed.
    func count(_ status: Int, route: Route?, duration: Duration? = nil) {
        guard (100..<600).contains(status) else { return }
        state.withLock { state in
            state.classes[status / 100 - 1] += 1
            if Self.reasons.contains(where: { $0.0 == status }) { state.refusals[status, default: 0] += 1 }
            guard let duration else { return }
            let key = Key(method: route?.method.rawValue ?? "", route: route?.pattern ?? "other")
            state.routes[key, default: Times()].count += 1
            state.routes[key, default: Times()].seconds += duration / .seconds(1)
        }
    }

    var families: [MetricFamily] {
        let now = state.withLock { $0 }
        let routes = now.routes.sorted { ($0.key.route, $0.key.method) < ($1.key.route, $1.key.method) }
        func samples(_ value: (Times) -> Double) -> [MetricFamily.Sample] {
            routes.map {
                .init(value($0.value), labels: [.init("route", $0.key.route), .init("method", $0.key.method)])
            }
        }
        return [
            MetricFamily(
                name: "pinwatch_http_requests_total", kind: .counter,
                help: "HTTP requests answered, by class of status.",
                samples: now.classes.enumerated().map { .init(Double($1), labels: [.init("class", "\($0 + 1)xx")]) }),
            MetricFamily(
                name: "pinwatch_http_refused_total", kind: .counter, help: "HTTP requests refused, by reason.",
                samples: Self.reasons.map { status, reason in
                    .init(Double(now.refusals[status] ?? 0), labels: [.init("reason", reason)])
                }),
            MetricFamily(
                name: "pinwatch_http_route_requests_total", kind: .counter,
                help: "HTTP requests computed, by route.", samples: samples { Double($0.count) }),
            MetricFamily(
                name: "pinwatch_http_route_seconds_total", kind: .counter,
                help: "Time to compute answers, by route, without receiving and sending.",
                samples: samples(\.seconds)),
        ]
    }
}
