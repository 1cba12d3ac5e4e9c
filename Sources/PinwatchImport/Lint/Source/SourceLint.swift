internal import PinwatchCore

/// The traps of sources, by their tokens: comments and texts are no code.
enum SourceLint {
    /// Each rule sees one source, and what all sources of the hand-over have between them.
    private static let rules: [@Sendable (LintedSource, LintedSources) -> [LintProblem]] = [
        AlamofireLint.problems, EvaluationLint.problems, KeyHeaderLint.problems, SwitchLint.problems,
        AndroidTrustLint.problems, OkHttpLint.problems, OwnEvaluatorLint.problems, KeyTypeLint.problems,
    ]

    static func problems(_ sources: LintedSources) -> [LintProblem] {
        sources.all.flatMap { source in rules.flatMap { $0(source, sources) } }
    }
}
