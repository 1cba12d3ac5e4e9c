extension TrustKitAndroidPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        guard let config = file.config else { return [] }
        return config.traps(isDebug: release.variant == .debug)
            + config.entries.indices.flatMap { Self.enforcement(config, $0) + Self.dropped(config.entries[$0]) }
    }

    private static func enforcement(_ config: NetworkSecurityConfig, _ index: Int) -> [PolicyTrap] {
        let entry = config.entries[index]
        guard config.pinSet(of: index).map({ !$0.pins.isEmpty }) ?? false, let domain = entry.domains.last else {
            return []
        }
        var said: Bool?
        var next: Int? = index
        while said == nil, let current = next {
            said = config.entries[current].trustKit?.enforcesPinning
            next = config.entries[current].parent
        }
        guard said != true else { return [] }
        return [
            PolicyTrap(
                .reportOnly, said == nil ? .error : .warning, host: domain.name,
                mark: entry.trustKit?.mark ?? entry.mark,
                message: said == nil
                    ? "enforcePinning is not given for \(domain.name), and TrustKit on Android takes false for it: "
                        + "a key outside "
                        + "the pins is let through, without a word."
                    : "enforcePinning is false for \(domain.name): a key outside the pins is reported, and the "
                        + "connection goes on.",
                advice: "Write <trustkit-config enforcePinning=\"true\">.")
        ]
    }

    private static func dropped(_ entry: NetworkSecurityConfig.Entry) -> [PolicyTrap] {
        guard let last = entry.domains.last else { return [] }
        return entry.domains.dropLast().map { domain in
            PolicyTrap(
                .lastDomainOnly, .warning, host: domain.name, mark: domain.mark,
                message: "TrustKit keeps the last domain of a domain-config alone, \(last.name): it does not know "
                    + "\(domain.name).",
                advice: "Give each domain a domain-config of its own.")
        }
    }
}
