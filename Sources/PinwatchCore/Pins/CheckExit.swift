/// How a command ends, `check` over all its subjects foremost: the contract's exit statuses.
package enum CheckExit: Int32, Sendable, CaseIterable {
    case fine = 0
    /// The answer is bad: something is rejected, invalid or mismatched.
    case bad = 1
    /// Bad usage or input, which the person at the keyboard must mend.
    case inputError = 2
    case couldNotTell = 3

    /// The status of one verdict; an input error never gets as far as a verdict.
    package init(_ verdict: Verdict) {
        switch verdict.kind {
        case .rejectPin, .rejectChain, .configError, .dependsOnPath: self = .bad
        case .unpinned: self = verdict.by == .trap ? .bad : .fine
        case .unknown: self = .couldNotTell
        case .accept, .acceptReport, .notEvaluated: self = .fine
        }
    }

    /// The worst decides, in the order 2, 1, 3, 0; no subjects are fine.
    package static func worst(_ statuses: some Sequence<CheckExit>) -> CheckExit {
        let all = Set(statuses)
        return [.inputError, .bad, .couldNotTell].first(where: all.contains) ?? .fine
    }
}
