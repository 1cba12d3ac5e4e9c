internal import PinwatchCore

extension SourceReader {
    /// Finds `NAME = value` and `NAME: Type = value`, of whatever declaration; arguments with names are no assignments.
    /// `#define NAME value` is left to the preprocessor, but for a literal.
    static func assignments(_ tokens: [Token]) -> [String: Int?] {
        var found: [String: Int?] = [:]
        var brackets = 0
        for (index, token) in tokens.enumerated() {
            if let name = changed(tokens, at: index) { found.updateValue(nil, forKey: name) }
            guard case .sign(let sign) = token.kind else { continue }
            if sign == "(" { brackets += 1 }
            if sign == ")" { brackets = max(0, brackets - 1) }
            guard sign == "=", isAssignment(tokens, at: index), let name = name(tokens, before: index) else { continue }
            // Within round brackets it is a default or a named argument, unless a closure stands between.
            let isDeclared = declares(tokens, before: index)
            guard isDeclared || brackets == 0 else { continue }
            found.updateValue(found[name] == nil ? index + 1 : nil, forKey: name)
        }
        return found
    }

    /// The name of what is changed here beside its assignment: `pins += …`, `pins.add(…)`, `[pins addObject:…]`.
    private static func changed(_ tokens: [Token], at index: Int) -> String? {
        guard index > 1, index + 1 < tokens.count else { return nil }
        if tokens[index].isSign("="), tokens[index - 1].isSign("+") || tokens[index - 1].isSign("-") {
            return name(tokens, before: index - 1)
        }
        guard let word = tokens[index].word, changing.contains(word) else { return nil }
        if tokens[index - 1].isSign("."), tokens[index + 1].isSign("(") { return tokens[index - 2].word }
        return tokens[index + 1].isSign(":") && tokens[index - 2].isSign("[") ? tokens[index - 1].word : nil
    }

    private static let changing: Set<String> = [
        "add", "addAll", "append", "put", "putAll", "insert", "merge", "formUnion", "updateValue", "removeValue",
        "remove", "removeAll", "clear", "addObject", "setObject", "addEntriesFromDictionary", "removeObjectForKey",
        "removeAllObjects", "setValue",
    ]

    /// Not `==`, `!=`, `<=`, `+=` and the like.
    private static func isAssignment(_ tokens: [Token], at index: Int) -> Bool {
        guard index > 0, index + 1 < tokens.count, !tokens[index + 1].isSign("=") else { return false }
        guard case .sign(let before) = tokens[index - 1].kind else { return true }
        return !"=!<>+-*/%&|^".contains(before) || before == ">" || before == "*"
    }

    /// The word before the sign; where that is a type, the word before its colon. On the sign's own line alone.
    private static func name(_ tokens: [Token], before index: Int) -> String? {
        var (place, depth) = (index - 1, 0)
        var candidate: String?
        while place >= 0, index - place < 48, tokens[place].mark.line == tokens[index].mark.line {
            switch tokens[place].kind {
            case .sign(let sign) where ")]>".contains(sign): depth += 1
            case .sign(let sign) where "([<".contains(sign):
                depth -= 1
                if depth < 0 { return candidate }
            case .sign(":") where depth == 0: return place > 0 ? tokens[place - 1].word : nil
            case .sign(let sign) where depth == 0 && ";,{}=".contains(sign): return candidate
            case .word(let word) where depth == 0:
                if declaring.contains(word) { return candidate }
                candidate = candidate ?? word
            case .sign, .word, .text, .interpolated, .number, .directive: break
            }
            place -= 1
        }
        return candidate
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
