extension AlamofirePolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        let open = allHostsMustBeEvaluated ? [] : [Self.unlisted]
        return open + entries.flatMap { $0.evaluator.traps(of: $0.host) + Self.idle($0) }
    }

    private static let unlisted = PolicyTrap(
        .unlistedHosts, .warning,
        message:
            "allHostsMustBeEvaluated is false: a host that is not listed letter for letter is let through unpinned.",
        advice: "Leave it at true, and list the hosts that need no pins with a DefaultTrustEvaluator.")

    private static func idle(_ entry: Entry) -> [PolicyTrap] {
        entry.idle.map {
            PolicyTrap(
                .idleSetting, .note, host: entry.host, message: Wording.sentence($0),
                advice: "Leave it out, or choose the evaluator that has it.")
        }
    }
}

extension AlamofireEvaluator {
    fileprivate func traps(of host: String) -> [PolicyTrap] {
        switch self {
        case .disabled: [LintWords.disabled("DisabledTrustEvaluator", host)]
        case .standard(let validation):
            [LintWords.noPin("DefaultTrustEvaluator", host)] + validation.traps(of: host, whole: true)
        case .revocation(let validation):
            [LintWords.noPin("RevocationTrustEvaluator", host)] + validation.traps(of: host, whole: true)
        case .keys(let pins, let validation): pins.emptiness(of: host) + validation.traps(of: host, whole: false)
        case .certificates(let pins, let validation, let acceptsSelfSigned):
            pins.emptiness(of: host) + validation.traps(of: host, whole: false)
                + (acceptsSelfSigned ? [LintWords.selfSigned(host)] : [])
        case .composite(let children): Self.composite(children, of: host)
        }
    }

    /// Whether it is one that compares pins, were there none at hand.
    private var isPinning: Bool {
        switch self {
        case .keys, .certificates: true
        case .composite(let children): children.contains(where: \.isPinning)
        case .standard, .revocation, .disabled: false
        }
    }

    private static func composite(_ children: [AlamofireEvaluator], of host: String) -> [PolicyTrap] {
        guard !children.isEmpty else {
            return [
                PolicyTrap(
                    .trustDisabled, .error, host: host,
                    message: "The CompositeTrustEvaluator of \(host) holds nothing, so every certificate is accepted.",
                    advice: "Put an evaluator that pins into it.")
            ]
        }
        // All must pass, so one that compares takes the others' traps of comparing nothing away.
        let found = children.flatMap { $0.traps(of: host) }
        guard children.contains(where: \.isPinning) else { return found }
        return found.filter { $0.rule != .comparesNoPin && $0.rule != .trustDisabled }
    }
}

extension AlamofireEvaluator.Validation {
    /// - Parameter whole: Whether the evaluator has no other check: then its first flag alone decides little.
    fileprivate func traps(of host: String, whole: Bool) -> [PolicyTrap] {
        switch (isDefault, coversHost) {
        case (true, true): []
        case (false, true):
            whole
                ? []
                : [
                    PolicyTrap(
                        .validationOff, .note, host: host,
                        message:
                            "performDefaultValidation is false for \(host), which changes little: the host's "
                            + "validation "
                            + "checks the chain as well.",
                        advice: "Leave it at true.")
                ]
        case (true, false): [LintWords.hostUnchecked("validateHost", host)]
        case (false, false): [LintWords.unvalidated("performDefaultValidation and validateHost are false for", host)]
        }
    }
}

extension BundledPins {
    /// Pins that the app is left with none of. `written` ones that are dropped are told one by one elsewhere.
    func emptiness(of host: String) -> [PolicyTrap] {
        guard written.isEmpty else { return [] }
        return [
            PolicyTrap(
                .noPins, .error, host: host,
                message: "There is nothing to compare for \(host), so every connection is refused.",
                advice: "Put the certificates, or their keys, into the app's bundle as DER.")
        ]
    }
}
