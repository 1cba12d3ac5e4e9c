extension AFNetworkingPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        var traps: [PolicyTrap] = []
        if mode == .unpinned {
            traps.append(
                allowsInvalid && !validatesDomainName
                    ? LintWords.disabled("AFSSLPinningModeNone with allowInvalidCertificates", "all hosts")
                    : LintWords.noPin("AFSSLPinningModeNone", "all hosts"))
        } else {
            traps += pins.emptiness(of: "all hosts")
        }
        if allowsInvalid, mode != .unpinned || validatesDomainName {
            traps.append(
                PolicyTrap(
                    .validationOff, .error,
                    message: "allowInvalidCertificates is on: the chain is not validated by the system before pins are "
                        + "compared.",
                    advice: "Leave it off."))
        }
        if !validatesDomainName {
            traps.append(LintWords.hostUnchecked("validatesDomainName", "all hosts"))
        }
        return traps
    }
}
