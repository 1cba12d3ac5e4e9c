extension Alamofire4Policy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] { entries.flatMap { $0.traps } }
}

extension Alamofire4Policy.Entry {
    fileprivate var traps: [PolicyTrap] {
        switch word {
        case .disabled: [LintWords.disabled("disableEvaluation", host)]
        case .standard: [LintWords.noPin("performDefaultEvaluation", host)] + hostFlag
        case .revoked: [LintWords.noPin("performRevokedEvaluation", host)] + hostFlag
        case .pinCertificates, .pinPublicKeys: pins.emptiness(of: host) + flags
        }
    }

    private var hostFlag: [PolicyTrap] { validatesHost ? [] : [LintWords.hostUnchecked("validateHost", host)] }

    /// Without the chain's validation the host's is not done either.
    private var flags: [PolicyTrap] {
        validatesChain ? hostFlag : [LintWords.unvalidated("validateCertificateChain is false for", host)]
    }
}
