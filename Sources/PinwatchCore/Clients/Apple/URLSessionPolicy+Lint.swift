extension URLSessionPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        let unevaluated = PolicyTrap(
            .validationOff, .error,
            message: "Trust is not evaluated before pins are compared: neither chain nor dates nor host are checked.",
            advice: "Call SecTrustEvaluateWithError first, with a policy for the host, and refuse what fails.")
        let empty = entries.filter { $0.pins.isEmpty }.map { entry in
            PolicyTrap(
                .noPins, .error, host: entry.host,
                message: "There is nothing to compare for \(entry.host), so every connection is refused.",
                advice: "Write the pins of the host's key and of a backup key.")
        }
        return (evaluatesTrust ? [] : [unevaluated]) + empty
    }
}
