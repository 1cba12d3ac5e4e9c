/// `pinset.lint`: traps in a release's pins that no scan shows.
///
/// A finding for each of lint's rules, those apart that are findings of their own. It stays calm: lint's errors are
/// warnings here, its warnings news, and its notes nothing.
enum PinSetLintRule {
    static func findings(_ pinSet: PinSet, now: Instant) -> [Finding] {
        let definition = pinSet.definition
        guard definition.identity.stack == "default" else { return [] }
        let found = definition.layers.flatMap { layer in
            PolicyLint.traps(of: layer, in: definition, facts: LintFacts(now: now), others: definition.layers)
                .filter { !told.contains($0.rule) && $0.severity != .note }
        }
        let traps = Dictionary(grouping: found, by: \.rule)
        return LintRule.allCases.compactMap { rule in traps[rule].flatMap { finding(rule, $0, pinSet, now) } }
    }

    /// What `pin.config_error`, `pinset.expiry` and `pin.no_backup` say.
    private static let told: Set<LintRule> = [
        .configError, .tooFewPins, .pinsExpired, .pinsExpireSoon, .noBackup, .leafKeyOnly, .oneChain,
    ]

    private static func finding(_ rule: LintRule, _ traps: [PolicyTrap], _ pinSet: PinSet, _ now: Instant) -> Finding? {
        guard let worst = traps.min(by: { $0.severity < $1.severity }) else { return nil }
        let label = pinSet.identity.label
        let isRelease = pinSet.identity.variant == .release
        let more = traps.count > 1 ? " The same is said of \(Wording.counted(traps.count - 1, "more place"))." : ""
        return Finding(
            key: "\(FindingKind.pinSetLint.rawValue)/\(pinSet.id.text)/\(rule.rawValue)", kind: .pinSetLint,
            severity: worst.severity == .error && isRelease ? .warning : .info, pinSetID: pinSet.id, subject: label,
            summary: "\(label): \(worst.message)\(more)", nextStep: worst.advice,
            evidence: .object([
                ("rule", .string(rule.rawValue)),
                ("places", .few(traps.map { .object([("host", .text($0.host)), ("message", .string($0.message))]) })),
            ]), since: now, affectedShare: pinSet.definition.share)
    }
}
