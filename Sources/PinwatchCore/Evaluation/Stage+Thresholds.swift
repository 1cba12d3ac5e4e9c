/// The seconds before an end at which each stage begins.
struct StageLimits: Hashable {
    let near: Int64
    let soon: Int64
    let imminent: Int64

    /// The configured limits, or for short lifetimes the fraction of the lifetime that is shorter: a quarter, an eighth,
    /// a sixteenth. So a certificate that is renewed at a third of its lifetime never reaches a stage.
    ///
    /// - Parameter lifetime: In seconds; `nil` for what has none, or an unknown one.
    init(_ thresholds: Configuration.Thresholds, lifetime: Int64?) {
        let lifetime = lifetime.map { max($0, 0) } ?? .max
        near = min(thresholds.nearSeconds, lifetime / 4)
        soon = min(thresholds.soonSeconds, lifetime / 8)
        imminent = min(thresholds.imminentSeconds, lifetime / 16)
    }

    /// The stage at `now` of what holds up to and including the second `end`; `nil` while that is far.
    func stage(end: Instant, now: Instant) -> Stage? {
        if now > end { return .expired }
        let left = end.seconds(since: now)
        if left <= imminent { return .imminent }
        if left <= soon { return .soon }
        return left <= near ? .near : nil
    }

    /// The instants at which the stages begin.
    func changes(end: Instant) -> [Instant] { [end - near, end - soon, end - imminent, end + 1] }
}

extension CertificateSummary {
    func stageLimits(_ thresholds: Configuration.Thresholds) -> StageLimits {
        StageLimits(thresholds, lifetime: lifetimeSeconds)
    }
}

extension Stage {
    /// For what stops working at its end: a leaf, and a release's pinning.
    var severity: Severity {
        switch self {
        case .near: .info
        case .soon: .warning
        case .imminent, .expired: .critical
        }
    }

    /// For an intermediate, which is replaced with the leaf's next renewal.
    var severityOfIssuer: Severity {
        switch self {
        case .near, .soon: .info
        case .imminent: .warning
        case .expired: .critical
        }
    }
}
