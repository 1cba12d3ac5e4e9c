internal import PinwatchCore

extension SourceReader {
    /// Finds `NAME = value` and `NAME: Type = value`, of whatever declaration; arguments with names are no assignments.
    /// `#define NAME value` is left to the preprocessor, but for a literal.
    static func assignments(_ tokens: [Token]) -> [String: Int?] {
        var found: [String: Int?] = [:]
        var brackets = 0
        for (index, token) in tokens.enumerated() {
            guard case .sign(let sign) = token.kind else { continue }
            if sign == "(" { brackets += 1 }
            if sign == ")" { brackets = max(0, brackets - 1) }
            guard sign == "=", isAssignment(tokens, at: index), let name = name(tokens, before: index) else { continue }
            // Within round brackets it is a default or a named argument, unless a closure stands between.
            let isDeclared = declares(tokens, before: index)
            guard isDeclared || brackets == 0 else { continue }
            found[name] = found[name] == nil ? .some(index + 1) : .some(nil)
        }
        return found
    }

    /// Not `==`, `!=`, `<=`, `+=` and the like.
    private static func isAssignment(_ tokens: [Token], at index: Int) -> Bool {
        guard index > 0, index + 1 < tokens.count, !tokens[index + 1].isSign("=") else { return false }
        guard case .sign(let before) = tokens[index - 1].kind else { return true }
        return !"=!<>+-*/%&|^".contains(before) || before == ">" || before == "*"
    }

    /// The word before the sign; where that is a type, the word before its colon.
    private static func name(_ tokens: [Token], before index: Int) -> String? {
        var place = index - 1
        for _ in 0..<24 {
            guard place >= 0 else { return nil }
            if place > 0, tokens[place - 1].isSign(":"), place >= 2, let name = tokens[place - 2].word { return name }
            if tokens[place].word != nil, place == index - 1, !(place > 0 && tokens[place - 1].isSign(".")),
                !hasColon(tokens, before: place)
            {
                return tokens[place].word
            }
            // Java's `String[] NAME` has its brackets before the name; `NAME[]` behind it.
            if place == index - 1, tokens[place].isSign("]"), place >= 2, tokens[place - 1].isSign("["),
                let name = tokens[place - 2].word
            {
                return name
            }
            place -= 1
        }
        return nil
    }

    /// Whether a colon of a type annotation stands before, on the same line and before any declaring word.
    private static func hasColon(_ tokens: [Token], before index: Int) -> Bool {
        var place = index - 1
        while place > 0, index - place < 20, tokens[place].mark.line == tokens[index].mark.line {
            if tokens[place].isSign(":") { return true }
            if let word = tokens[place].word, declaring.contains(word) { return false }
            place -= 1
        }
        return false
    }

    private static let declaring: Set<String> = ["let", "var", "val", "const", "static", "final", "NSString", "String"]

    private static func declares(_ tokens: [Token], before index: Int) -> Bool {
        let line = tokens[index].mark.line
        var place = index - 1
        while place >= 0, index - place < 24, tokens[place].mark.line == line {
            if let word = tokens[place].word, declaring.contains(word) { return true }
            place -= 1
        }
        return false
    }
}
