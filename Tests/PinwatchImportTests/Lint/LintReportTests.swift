import PinwatchCore
import Testing

@testable import PinwatchImport

@Suite struct LintReportTests {
    private static let problems = [
        LintProblem(
            .noBackup, .warning, client: .okhttp, host: "a.example", file: "src/My Pins.kt",
            mark: Mark(line: 3, column: 9), message: "One pin.", advice: "Add another."),
        LintProblem(.trustDisabled, .error, file: "/b.swift", message: "Nothing \u{1B}[31m checked.", advice: "Check."),
    ]

    @Test func `text has a line for each problem and a count, and shows controls`() {
        #expect(
            LintReport.text(Self.problems) == """
                src/My Pins.kt:3:9: warning: One pin. Add another. [no_backup]
                /b.swift: error: Nothing \\u{1B}[31m checked. Check. [trust_disabled]
                1 error, 1 warning, 0 notes

                """)
        #expect(LintReport.text([]) == "no problems found\n")
    }

    @Test func `JSON is an array with every member, null where nothing is known`() throws {
        let json = try JSON(parsing: Array(LintReport.json(Self.problems).utf8))
        guard case .array(let items) = json, items.count == 2, case .object(let members) = items[1] else {
            Issue.record("\(json)")
            return
        }
        #expect(
            members.map(\.0) == [
                "rule", "severity", "client", "host", "file", "line", "column", "message", "advice",
            ])
        #expect(members.first { $0.0 == "line" }?.1 == .null)
        #expect(try JSON(parsing: Array(LintReport.json([]).utf8)) == .array([]))
    }

    @Test func `SARIF has the schema's members, rules by their index and places as references`() throws {
        let text = LintReport.sarif(Self.problems, version: "1.2.3")
        let expected = [
            "\"version\": \"2.1.0\"", "\"$schema\"", "\"uri\": \"src/My%20Pins.kt\"", "\"uri\": \"file:///b.swift\"",
            "\"startLine\": 3", "\"startColumn\": 9", "\"ruleId\": \"trust_disabled\"", "\"level\": \"error\"",
            "\"text\": \"No backup pin\"",
        ]
        for piece in expected { #expect(text.contains(piece), "\(piece) in \(text)") }
        _ = try JSON(parsing: Array(text.utf8))
    }
}
