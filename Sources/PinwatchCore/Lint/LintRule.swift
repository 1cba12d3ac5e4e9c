/// What lint looks for; the words are stable, and name the rule in SARIF and in findings.
package enum LintRule: String, Sendable, CaseIterable {
    /// The client cannot load the policy at all.
    case configError = "config_error"
}
