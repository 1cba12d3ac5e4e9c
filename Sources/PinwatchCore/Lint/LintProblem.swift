/// How much a lint problem matters, the worst first.
package enum LintSeverity: String, Sendable, CaseIterable, Comparable {
    /// The client refuses it, or it fails open without a word.
    case error
    /// It will break or stop pinning one day, or does for some.
    case warning
    /// Worth knowing.
    case note

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }
    /// Whether `left` is the worse one.
    package static func < (left: LintSeverity, right: LintSeverity) -> Bool { left.rank < right.rank }
}

/// One trap, fault or doubt in pins or in an app's sources.
package struct LintProblem: Sendable, Hashable {
    package let rule: LintRule
    package let severity: LintSeverity
    package let client: Client?
    /// The host entry that it is about, as its file writes it.
    package let host: String?
    package let file: String
    /// Where in the file; `nil` where that is not known.
    package var mark: Mark?
    /// What is there and what follows from it, one or two sentences.
    package let message: String
    /// What to write instead, one sentence.
    package let advice: String

    package init(
        _ rule: LintRule, _ severity: LintSeverity, client: Client? = nil, host: String? = nil, file: String,
        mark: Mark? = nil, message: String, advice: String
    ) {
        self.rule = rule
        self.severity = severity
        self.client = client
        self.host = host
        self.file = file
        self.mark = mark
        self.message = message
        self.advice = advice
    }

    /// `file:line:column: severity: message [rule]`, as compilers write.
    package var description: String {
        let place = mark.map { "\(file):\($0.line):\($0.column)" } ?? file
        return "\(place): \(severity.rawValue): \(message) \(advice) [\(rule.rawValue)]"
    }
}
