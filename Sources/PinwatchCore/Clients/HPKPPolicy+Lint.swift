extension HPKPPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        entries.flatMap { entry in
            (entry.reportOnly ? [Self.reportOnly(entry.host)] : [])
                + (unnoted(entry).map { Self.unnoted($0, entry) } ?? [])
        }
    }

    private static func reportOnly(_ host: String) -> PolicyTrap {
        PolicyTrap(
            .reportOnly, .warning, host: host,
            message: "The pins for \(host) are reported on and not enforced.",
            advice: "Send Public-Key-Pins in place of Public-Key-Pins-Report-Only, once the reports are quiet.")
    }

    private static func unnoted(_ verdict: Verdict, _ entry: Entry) -> [PolicyTrap] {
        [
            PolicyTrap(
                entry.maxAge == 0 ? .noPins : .tooFewPins, .error, host: entry.host,
                message: Wording.sentence(verdict.reason),
                advice: entry.maxAge == 0
                    ? "Give max-age as long as the pins are to hold."
                    : "Add a backup key's pin: two are needed that can be read.")
        ]
    }
}
