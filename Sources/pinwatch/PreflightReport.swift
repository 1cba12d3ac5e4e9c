internal import PinwatchCore

/// An answer to `preflight` for people, made of the same JSON that scripts get: this machine's or a server's.
enum PreflightReport {
    /// `nil` for what is no such answer.
    static func text(of answer: JSON) -> String? {
        guard let sentence = answer["sentence"]?.asText, answer["items"] != nil else { return nil }
        let host = answer["host"]?.asText ?? ""
        var lines = [sentence]
        lines += (answer["items"]?.asItems ?? []).map { line($0, host: host) }
        lines += (answer["users"]?.asItems ?? []).compactMap { $0["sentence"]?.asText }.map { "  " + $0 }
        lines += (answer["assumed"]?.asItems ?? []).compactMap(\.asText).map { "  assumed: " + $0 }
        return lines.joined(separator: "\n")
    }

    /// Go on, stop, or neither.
    static func status(of answer: JSON) -> CheckExit {
        switch answer["go"] {
        case .bool(true)?: .fine
        case .bool(false)?: .bad
        case .null, .integer, .number, .string, .array, .object, nil: .couldNotTell
        }
    }

    private static func line(_ item: JSON, host: String) -> String {
        func text(_ member: String) -> String { item[member]?.asText ?? "" }
        let by = item["by"]?.asText.map { " by \($0)" } ?? ""
        let variant = text("variant") == Variant.debug.rawValue ? " (debug)" : ""
        let stack = text("stack") == "default" ? "" : " (\(text("stack")))"
        let notes = (item["notes"]?.asItems ?? []).compactMap(\.asText).map { "\n  note: " + $0 }.joined()
        return
            "\(text("verdict"))\(by)  \(text("app")) \(text("release"))\(variant)\(stack)  \(host)  \(text("reason"))"
            + notes
    }
}
