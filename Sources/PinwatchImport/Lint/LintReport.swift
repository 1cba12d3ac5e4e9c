package import PinwatchCore

/// Lint's problems as a person, a program or a code host reads them.
package enum LintReport {
    /// One line for each, and one that counts them.
    package static func text(_ problems: [LintProblem]) -> String {
        let lines = problems.map { $0.description.visible() + "\n" }.joined()
        let counts = LintSeverity.allCases.map { severity in
            (severity, problems.count { $0.severity == severity })
        }
        let words = counts.map { severity, count in "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")" }
        return lines + (problems.isEmpty ? "no problems found\n" : words.joined(separator: ", ") + "\n")
    }

    /// A JSON array with an object for each; `line` and `column` are `null` where the place is not known.
    package static func json(_ problems: [LintProblem]) -> String {
        JSON.array(problems.map(object)).indented + "\n"
    }

    private static func object(_ problem: LintProblem) -> JSON {
        .object([
            ("rule", .string(problem.rule.rawValue)), ("severity", .string(problem.severity.rawValue)),
            ("client", .text(problem.client?.rawValue)), ("host", .text(problem.host)), ("file", .string(problem.file)),
            ("line", .whole(problem.mark?.line)), ("column", .whole(problem.mark?.column)),
            ("message", .string(problem.message)), ("advice", .string(problem.advice)),
        ])
    }
}
