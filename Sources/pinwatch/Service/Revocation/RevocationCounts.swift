internal import PinwatchCore
internal import PinwatchHTTP
internal import Synchronization

/// What looks at revocation came to since the start, for `/metrics`.
final class RevocationCounts: Sendable {
    private let counts = Mutex<[RevocationStatus: Int]>([:])

    func add(_ looks: [RevocationLook]) {
        counts.withLock { counts in
            for case let found? in looks.map(\.found) { counts[found.status, default: 0] += 1 }
        }
    }

    var families: [MetricFamily] {
        let now = counts.withLock(\.self)
        return [
            MetricFamily(
                name: "pinwatch_revocation_looks_total", kind: .counter,
                help: "Looks at the revocation of served leaves since the start, by what they came to.",
                samples: RevocationStatus.allCases.map { status in
                    MetricFamily.Sample(Double(now[status] ?? 0), labels: [.init("status", status.rawValue)])
                })
        ]
    }
}
