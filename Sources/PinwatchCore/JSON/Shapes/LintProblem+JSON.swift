extension LintProblem {
    /// The most that are shown beside what they are about.
    static let shown = 200

    /// `{rule, severity, client, host, file, line, column, message, advice}`.
    package var json: JSON {
        .object([
            ("rule", .string(rule.rawValue)), ("severity", .string(severity.rawValue)),
            ("client", .text(client?.rawValue)), ("host", .text(host)), ("file", .string(file)),
            ("line", .whole(mark?.line)), ("column", .whole(mark?.column)), ("message", .string(message)),
            ("advice", .string(advice)),
        ])
    }
}
