/// Everything that can be said against pins without connecting: what their client refuses, what fails open, what will
/// break one day.
package enum PolicyLint {
    /// Each rule sees one layer. What only one client has is told by its ``PinPolicy/traps(_:release:)``.
    private static let rules: [@Sendable (LintedLayer) -> [PolicyTrap]] = [
        LoadingLint.traps, BackupLint.traps, PinTextLint.traps, CertificatePinLint.traps, HostLint.traps,
    ]

    /// The traps of one layer, in the order of its entries as far as they have one.
    ///
    /// - Parameter others: Layers that the same app or its siblings have, whose pins may make up for some of it.
    package static func traps(
        of layer: PinLayer, in definition: PinSetDefinition, facts: LintFacts, others: [PinLayer] = []
    ) -> [PolicyTrap] {
        let release = ReleaseFacts(
            clientVersion: layer.clientVersion, platform: definition.platform, variant: definition.identity.variant)
        let linted = LintedLayer(layer: layer, facts: facts)
        let found = reached(rules.flatMap { $0(linted) } + layer.policy.traps(facts, release: release))
        var seen: Set<PolicyTrap> = []
        return found.filter { trap in
            let isMoot = trap.mootWherePinned.map { host in
                others.contains { $0.policy.namesHosts && !$0.policy.pins(for: host, now: facts.now).isEmpty }
            }
            return !(isMoot ?? false) && seen.insert(trap).inserted
        }
    }

    /// Without what is said of the connections of an entry that no host comes to: there are none.
    private static func reached(_ traps: [PolicyTrap]) -> [PolicyTrap] {
        let names: Set<LintRule> = [.wildcardNeverMatches, .hostIsURL, .hostCase, .hostTrailingDot]
        let lost = Set(traps.filter { names.contains($0.rule) && $0.severity == .error }.compactMap(\.host))
        guard !lost.isEmpty else { return traps }
        let ofConnections: Set<LintRule> = [
            .noBackup, .leafKeyOnly, .oneChain, .trustDisabled, .comparesNoPin, .selfSignedAccepted, .hostNotValidated,
            .validationOff, .siblingHidesPins, .reportOnly, .oneLabelOnly, .bothLists, .pinsExpired,
            .pinsExpireSoon,
        ]
        return traps.filter { !ofConnections.contains($0.rule) || !($0.host.map(lost.contains) ?? false) }
    }

    /// The problems of definitions, each by itself and then together; their places in files are not known here.
    package static func problems(of definitions: [PinSetDefinition], facts: LintFacts) -> [LintProblem] {
        let layers = definitions.flatMap(\.layers)
        let own = definitions.flatMap { definition in
            definition.layers.flatMap { layer in
                traps(of: layer, in: definition, facts: facts, others: layers).map {
                    LintProblem($0, client: layer.client, file: definition.origin)
                }
            }
        }
        return own + differences(definitions)
    }

    /// Hosts that some of the platforms pin and others do not.
    package static func differences(_ definitions: [PinSetDefinition]) -> [LintProblem] {
        PlatformLint.problems(definitions)
    }
}

extension LintProblem {
    package init(_ trap: PolicyTrap, client: Client?, file: String, mark: Mark? = nil) {
        self.init(
            trap.rule, trap.severity, client: client, host: trap.host, file: file, mark: mark, message: trap.message,
            advice: trap.advice)
    }
}

extension Instant {
    /// A time at which no entry has ended yet, for questions about hosts alone.
    static let beforePins = Instant(unixSeconds: 0)
}
