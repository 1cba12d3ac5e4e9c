extension OkHttpPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        let empty = entries.filter { $0.pins.isEmpty }.map { entry in
            PolicyTrap(
                .noPins, .error, host: entry.pattern,
                message: "\(entry.pattern) is added without pins, which adds nothing: it is not pinned.",
                advice: "Add its pins, or take it out.")
        }
        let trustAll = PolicyTrap(
            .validationOff, .error,
            message:
                "The trust manager names no accepted issuers: it accepts every chain, and pinned hosts are refused.",
            advice: "Use the platform's trust manager.")
        return (acceptedIssuers == .none ? [trustAll] : []) + empty + dotted
    }

    /// One host stands for all: the look-up is the same for each.
    private var dotted: [PolicyTrap] {
        let name = entries.lazy.filter { !$0.pins.isEmpty }.map { HostLint.base(of: $0.pattern) }.first { host in
            !host.contains("*") && !self.pins(for: host, now: .beforePins).isEmpty
                && self.pins(for: host + ".", now: .beforePins).isEmpty
        }
        guard configurationError == nil, let name else { return [] }
        return [
            PolicyTrap(
                .trailingDotUnpinned, .note, host: name,
                message:
                    "A request to https://\(name)./, with a dot at the end of the host, is not held against these "
                    + "pins.",
                advice: "See that no URL of the app can have such a host.", mootWherePinned: name + ".")
        ]
    }
}
