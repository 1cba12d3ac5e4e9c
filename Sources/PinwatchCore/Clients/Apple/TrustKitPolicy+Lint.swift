extension TrustKitPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        domains.flatMap { domain in
            (domain.isEnforced || domain.isExcluded ? [] : [Self.reportOnly(domain.name)])
                + domain.notes.filter { $0.contains("no expiry at all") }.map { Self.unreadable($0, domain.name) }
        }
    }

    private static func reportOnly(_ host: String) -> PolicyTrap {
        PolicyTrap(
            .reportOnly, .warning, host: host,
            message:
                "TSKEnforcePinning is off for \(host): a key outside the pins is reported, and the connection goes on.",
            advice: "Turn it on once the reports are quiet.")
    }

    private static func unreadable(_ note: String, _ host: String) -> PolicyTrap {
        PolicyTrap(
            .idleSetting, .warning, host: host, message: Wording.sentence(note),
            advice: "Write the date as yyyy-MM-dd, or leave it out.")
    }
}
