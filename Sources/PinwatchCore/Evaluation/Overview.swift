/// The first words of the product: whether anything is broken, for somebody who reads one sentence and goes on.
package enum Overview {
    /// The worst that is open decides, then what is unknown: "could not tell" never reads as "fine".
    package static func sentence(
        _ summary: SummaryRecord, now: Instant
    ) -> (verdict: TargetCondition, sentence: String) {
        if let worst = summary.broken.first { return (condition(worst.severity), broken(worst, summary)) }
        guard summary.targets > 0 else {
            return (.unknown, "Nothing is watched yet. Add the hosts that your apps speak to.")
        }
        if summary.unscanned >= summary.targets || summary.lastScanAt == nil {
            let waiting = summary.targets
            let subject = waiting == 1 ? "One target waits" : "\(capitalised(number(waiting))) targets wait"
            return (.unknown, "Not scanned yet. \(subject) for the first scan.")
        }
        let unknown = summary.conditions[.unknown] ?? 0
        if unknown > 0 {
            let subject =
                summary.targets == 1 ? "the target" : "\(number(unknown)) of \(number(summary.targets)) targets"
            return (.unknown, "Nothing is known to be broken, but \(subject) could not be judged.")
        }
        return (.ok, (["Nothing is broken."] + [next(summary.runway, now)].compactMap { $0 }).joined(separator: " "))
    }

    private static func condition(_ severity: Severity) -> TargetCondition {
        switch severity {
        case .critical: .critical
        case .warning: .warning
        case .info: .ok
        }
    }

    private static func broken(_ worst: Finding, _ summary: SummaryRecord) -> String {
        var sentences = [worst.summary]
        if worst.stale { sentences.append("That is the last known state, for the host no longer answers.") }
        let more = summary.findings.critical + summary.findings.warning - 1
        if more == 1 { sentences.append("One more problem is open.") }
        if more > 1 { sentences.append("\(capitalised(number(more))) more problems are open.") }
        return sentences.joined(separator: " ")
    }

    /// The nearest end that is still to come; `nil` without one.
    private static func next(_ runway: [Upcoming], _ now: Instant) -> String? {
        guard let upcoming = runway.first(where: { $0.endsAt > now }) else { return nil }
        let days = upcoming.endsAt.seconds(since: now) / 86_400
        let time =
            switch days {
            case 0: "in less than a day"
            case 1: "in one day"
            default: "in \(days <= 10 ? number(Int(days)) : String(days)) days"
            }
        switch upcoming.kind {
        case .certificate: return "The next certificate ends \(time)."
        case .chain: return "The next intermediate certificate ends \(time)."
        case .pinSet: return "The pinning of \(upcoming.subject) turns off \(time)."
        case .release: return "\(capitalised(time)) \(upcoming.subject) is \(upcoming.summary)."
        }
    }

    /// In words up to ten, as prose has it.
    private static func number(_ value: Int) -> String {
        let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        return words.indices.contains(value) ? words[value] : String(value)
    }

    private static func capitalised(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }
}
