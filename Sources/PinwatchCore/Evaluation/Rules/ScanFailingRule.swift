/// `scan.failing`: addresses that gave no certificate for some scans in a row. The scope counts addresses.
enum ScanFailingRule {
    static func findings(_ view: TargetView) -> [Finding] {
        let all = addresses(view)
        let failing = all.filter { isFailing($0, view) }
        guard let first = failing.first else { return [] }
        // A name that does not resolve takes every address with it.
        let of = max(Set(all.compactMap(\.address)).union(view.chains.flatMap(\.addresses)).count, 1)
        let affected = first.address == nil ? of : failing.count
        let threshold = max(view.thresholds.failingAfter, 1)
        var finding = view.finding(
            .scanFailing, severity: .warning,
            summary: "\(view.label) gives no certificate "
                + (first.address == nil ? "at all" : Wording.addresses(affected, of: max(affected, all.count)))
                + ", for \(Wording.counted(threshold, "scan")) in a row or more. "
                + Wording.sentence(first.message ?? first.outcome),
            nextStep:
                "Check that the host answers from where Pinwatch runs; what it serves there is unknown until then.",
            evidence: .object([("addresses", .few(failing.map(evidence)))]))
        finding.scope = Scope(affected: affected, of: max(affected, first.address == nil ? of : all.count))
        finding.stale = false
        return [finding]
    }

    /// When a failing address will have failed often enough, for rows that say only since when.
    static func changes(_ view: TargetView) -> [Instant] {
        addresses(view).filter { !$0.hadChain && $0.failures == nil && !isFailing($0, view) }
            .map { $0.since + span(view) + min(view.periodSeconds / 2, 60) }
    }

    /// One status for each address: of its last hellos, the one that gave a chain if any did.
    private static func addresses(_ view: TargetView) -> [AddressStatus] {
        var statuses: [AddressStatus] = []
        for status in view.state.addresses {
            guard let known = statuses.firstIndex(where: { $0.address == status.address }) else {
                statuses.append(status)
                continue
            }
            if supersedes(status, statuses[known]) { statuses[known] = status }
        }
        return statuses.filter { $0.address == nil } + statuses.filter { $0.address != nil }
    }

    /// `legacy` is sent only after `phone` failed, so one that is older than it was answered to an earlier scan.
    private static func supersedes(_ status: AddressStatus, _ other: AddressStatus) -> Bool {
        if status.hadChain != other.hadChain {
            let (gave, failed) = status.hadChain ? (status, other) : (other, status)
            let counts = gave.profile == .phone || gave.lastAt >= failed.lastAt
            return status.hadChain == counts
        }
        return status.profile == .phone && other.profile != .phone
    }

    /// From the first of the failing scans to the last that is needed.
    private static func span(_ view: TargetView) -> Int64 {
        Int64(max(view.thresholds.failingAfter, 1) - 1) * view.periodSeconds
    }

    private static func isFailing(_ status: AddressStatus, _ view: TargetView) -> Bool {
        guard !status.hadChain else { return false }
        let threshold = max(view.thresholds.failingAfter, 1)
        if view.state.failures >= threshold { return true }
        if let failures = status.failures { return failures >= threshold }
        return status.lastAt.seconds(since: status.since) >= max(span(view) - view.periodSeconds / 2, 0)
    }

    private static func evidence(_ status: AddressStatus) -> JSON {
        .object([
            ("address", .text(status.address?.description)), ("outcome", .string(status.outcome)),
            ("message", .text(status.message)), ("since", .time(status.since)),
        ])
    }
}
