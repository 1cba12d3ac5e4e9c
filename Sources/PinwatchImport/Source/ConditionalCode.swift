internal import PinwatchCore

/// What of a source a build of a variant holds: `#if DEBUG` and its kin are decided, other conditions are told.
enum ConditionalCode {
    /// How a condition turns out in the build of a variant.
    enum Condition {
        case holds, fails, open

        var opposite: Condition {
            switch self {
            case .holds: .fails
            case .fails: .holds
            case .open: .open
            }
        }
    }

    /// The tokens that are compiled, and the conditions that only the build can decide, all branches of which are kept.
    static func compiled(_ tokens: [Token], for variant: Variant) -> (tokens: [Token], open: [Token]) {
        var (kept, open): ([Token], [Token]) = ([], [])
        var conditions: [Condition] = []
        for token in tokens {
            guard case .directive(let line) = token.kind else {
                if !conditions.contains(.fails) { kept.append(token) }
                continue
            }
            let words = line.dropFirst().split { $0 == " " || $0 == "\t" || $0 == "(" || $0 == ")" }.map(String.init)
            switch words.first {
            case "if", "ifdef", "ifndef":
                let condition = condition(words, variant)
                if condition == .open { open.append(token) }
                conditions.append(condition)
            case "else": if let last = conditions.popLast() { conditions.append(last.opposite) }
            case "elif", "elseif":
                if let last = conditions.popLast() { conditions.append(last == .holds ? .fails : .open) }
            case "endif": _ = conditions.popLast()
            case _: kept.append(token)
            }
        }
        return (kept, open)
    }

    private static func condition(_ words: [String], _ variant: Variant) -> Condition {
        var text = words.dropFirst().joined()
        var negated = words.first == "ifndef"
        if text.hasPrefix("!") {
            text.removeFirst()
            negated.toggle()
        }
        if text.hasPrefix("defined") { text.removeFirst(7) }
        guard text == "DEBUG" else { return .open }
        return (variant == .debug) != negated ? .holds : .fails
    }
}
