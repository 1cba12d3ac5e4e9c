package import PinwatchCore

extension LintReport {
    /// The log that code hosts take: SARIF 2.1.0 (OASIS, sections 3.13 to 3.30), one run, rules in the order of
    /// ``LintRule``.
    ///
    /// - Parameter version: The program's.
    package static func sarif(_ problems: [LintProblem], version: String) -> String {
        let used = Set(problems.map(\.rule))
        let rules = LintRule.allCases.filter(used.contains)
        let numbers = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
        let driver = JSON.object([
            ("name", .string("pinwatch")), ("version", .string(version)), ("rules", .array(rules.map(rule))),
        ])
        let run = JSON.object([
            ("tool", .object([("driver", driver)])), ("columnKind", .string("unicodeCodePoints")),
            ("results", .array(problems.map { result($0, numbers[$0.rule]) })),
        ])
        return JSON.object([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")), ("version", .string("2.1.0")),
            ("runs", .array([run])),
        ]).indented + "\n"
    }

    private static func rule(_ rule: LintRule) -> JSON {
        .object([
            ("id", .string(rule.rawValue)), ("shortDescription", .object([("text", .string(rule.title))])),
        ])
    }

    private static func result(_ problem: LintProblem, _ number: Int?) -> JSON {
        let region = problem.mark.map { mark in
            [
                (
                    "region",
                    JSON.object([
                        ("startLine", .integer(Int64(mark.line))), ("startColumn", .integer(Int64(mark.column))),
                    ])
                )
            ]
        }
        let place = JSON.object(
            [
                ("artifactLocation", .object([("uri", .string(uri(problem.file)))]))
            ] + (region ?? []))
        return .object([
            ("ruleId", .string(problem.rule.rawValue)), ("ruleIndex", .whole(number)),
            ("level", .string(problem.severity.rawValue)),
            ("message", .object([("text", .string(problem.message + " " + problem.advice))])),
            ("locations", .array([.object([("physicalLocation", place)])])),
        ])
    }

    /// A relative reference (RFC 3986 section 4.2), percent-encoded; a path from the root becomes a `file:` URI.
    private static func uri(_ path: String) -> String {
        let encoded = path.utf8.map { byte -> String in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}
