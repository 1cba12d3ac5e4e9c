internal import PinwatchCore

/// Reads values out of tokens: literals, collections, calls, and constants that are assigned once.
struct SourceReader {
    /// Deeper values are passed over as unresolved.
    static let depthLimit = 48

    let tokens: [Token]
    /// Where the value of `let NAME = …` begins; `nil` for a name that is assigned more than once.
    private let assignments: [String: Int?]
    /// Steps that are left: values within values within values must not cost more than the file is long, many times over.
    private(set) var steps: Int
    /// Whether the steps ran out, after which all is unresolved.
    var isExhausted: Bool { steps <= 0 }

    /// Conditions of the preprocessor that only the build can decide.
    let openConditions: [Token]
    /// Statements whose other side, which builds of the variant do not run, holds pins.
    let decided: [Token]
    let variant: Variant
    let conditions: OpenConditions

    /// - Parameter variant: Whose build it is: code for the other one is left out.
    init(_ text: String, for variant: Variant) {
        let (compiled, open) = ConditionalCode.compiled(Tokenizer.tokens(text), for: variant)
        (tokens, decided) = BuildType.compiled(compiled, for: variant)
        (openConditions, self.variant) = (open, variant)
        conditions = OpenConditions(tokens)
        assignments = Self.assignments(tokens)
        steps = 100_000 + 8 * tokens.count
    }

    func token(_ index: Int) -> Token? { index >= 0 && index < tokens.count ? tokens[index] : nil }
    func isSign(_ sign: Character, at index: Int) -> Bool { token(index)?.isSign(sign) ?? false }
    func word(at index: Int) -> String? { token(index)?.word }

    /// The value that a name is assigned, if it is assigned once.
    mutating func value(of name: String, depth: Int = 0) -> SourceValue? {
        guard let place = assignments[name] ?? nil else { return nil }
        return value(at: place, depth: depth + 8, stopsAtLine: true).value
    }

    /// The value that begins at a token, and where it ends. Names of constants are replaced by their values.
    ///
    /// - Parameter stopsAtLine: For statements without brackets around them, which a line's end may close.
    mutating func value(at start: Int, depth: Int = 0, stopsAtLine: Bool = false) -> (value: SourceValue, end: Int) {
        let mark = token(start)?.mark ?? .start
        guard depth < Self.depthLimit, steps > 0 else { return unresolved(from: start, mark) }
        var (value, end) = primary(at: start, depth: depth)
        while steps > 0, let sign = token(end), !isEnd(sign) {
            steps -= 1
            if sign.isSign("+"), let joined = joined(value, at: end, depth: depth) {
                (value, end) = joined
            } else if sign.isSign("."), let name = word(at: end + 1) {
                (value, end) = member(name, of: value, at: end, depth: depth)
            } else if sign.word == "as" {
                end = afterType(end + 1)
            } else if stopsAtLine, sign.mark.line > (token(end - 1)?.mark.line ?? 0) {
                break
            } else {
                return unresolved(from: start, mark)
            }
        }
        return (value, end)
    }

    private static func isText(_ token: Token) -> Bool { if case .text = token.kind { true } else { false } }

    func isEnd(_ token: Token) -> Bool {
        switch token.kind {
        case .sign(let sign): ",:;)]}".contains(sign)
        case .directive: true
        case .word, .text, .interpolated, .number: false
        }
    }

    private mutating func primary(at start: Int, depth: Int) -> (value: SourceValue, end: Int) {
        steps -= 1
        guard let first = token(start) else { return (.unresolved("nothing", .start), start) }
        switch first.kind {
        case .text(let text): return literals(text, first.mark, at: start + 1)
        case .interpolated(let source): return (.unresolved("\"\(source)\"", first.mark), start + 1)
        case .number(let digits): return number(digits, first.mark, at: start + 1)
        case .word(let word): return named(word, at: start, depth: depth)
        case .sign("@"): return primary(boxedAt: start, depth: depth)
        case .sign("["): return collection(at: start, close: "]", depth: depth)
        case .sign("{") where token(start + 1).map(Self.isText) ?? false:
            return collection(at: start, close: "}", depth: depth)
        case .sign("*"): return value(at: start + 1, depth: depth + 1)
        case .sign("."):
            if let word = word(at: start + 1) { return called("." + word, first.mark, at: start + 2, depth: depth) }
            return unresolved(from: start, first.mark)
        case .sign, .directive: return unresolved(from: start, first.mark)
        }
    }

    /// Objective-C's `@"…"`, `@[…]`, `@{…}`, `@(…)`, `@YES`, `@1`.
    private mutating func primary(boxedAt start: Int, depth: Int) -> (value: SourceValue, end: Int) {
        if isSign("{", at: start + 1) { return collection(at: start + 1, close: "}", depth: depth) }
        if isSign("(", at: start + 1) {
            let inner = value(at: start + 2, depth: depth + 1)
            return (inner.value, isSign(")", at: inner.end) ? inner.end + 1 : inner.end)
        }
        guard depth < Self.depthLimit, !isSign("@", at: start + 1) else {
            return unresolved(from: start, token(start)?.mark ?? .start)
        }
        return primary(at: start + 1, depth: depth + 1)
    }

    /// Literals side by side are one in C and its kin.
    private func literals(_ text: String, _ mark: Mark, at start: Int) -> (value: SourceValue, end: Int) {
        var (text, end) = (text, start)
        while true {
            let next = isSign("@", at: end) ? end + 1 : end
            guard case .text(let more)? = token(next)?.kind else { return (.text(text, mark), end) }
            text += more
            end = next + 1
        }
    }

    private func number(_ digits: String, _ mark: Mark, at start: Int) -> (value: SourceValue, end: Int) {
        guard isSign(".", at: start), case .number(let more)? = token(start + 1)?.kind else {
            return (.number(digits, mark), start)
        }
        return (.number(digits + "." + more, mark), start + 2)
    }

    private mutating func named(_ word: String, at start: Int, depth: Int) -> (value: SourceValue, end: Int) {
        let mark = token(start)?.mark ?? .start
        switch word {
        case "true", "YES": return (.flag(true, mark), start + 1)
        case "false", "NO": return (.flag(false, mark), start + 1)
        case "new" where isSign("[", at: start + 2) && isSign("]", at: start + 3) && isSign("{", at: start + 4):
            return collection(at: start + 4, close: "}", depth: depth)
        case "new", "try", "await": return value(at: start + 1, depth: depth + 1)
        default: return called(word, mark, at: start + 1, depth: depth)
        }
    }

    /// A name with what follows it: a call, or a constant's value.
    private mutating func called(
        _ name: String, _ mark: Mark, at start: Int, depth: Int
    ) -> (value: SourceValue, end: Int) {
        let open = afterGenerics(start)
        if isSign("(", at: open) {
            let list = arguments(at: open, depth: depth)
            return (.call(name, list.arguments, mark), list.end)
        }
        // A member that follows makes it part of a longer name, which stands for itself.
        if !isSign(".", at: start), depth < Self.depthLimit, let known = value(of: name, depth: depth) {
            return (known, start)
        }
        return (.name(name, mark), start)
    }

    private mutating func member(
        _ name: String, of value: SourceValue, at dot: Int, depth: Int
    ) -> (value: SourceValue, end: Int) {
        let mark = value.mark
        switch value {
        case .name(let before, _):
            let (whole, end) = called(before + "." + name, mark, at: dot + 2, depth: depth)
            guard case .name = whole, !isSign(".", at: end), let known = self.value(of: name, depth: depth) else {
                return (whole, end)
            }
            return (known, end)
        case .call(let before, let given, _):
            let (whole, end) = called(before + "()." + name, mark, at: dot + 2, depth: depth)
            // What a collection is turned into does not change its items.
            if Self.conversions.contains(name) { return (.call(before, given, mark), end) }
            return (whole, end)
        case .text, .list, .table:
            let (whole, end) = called(name, mark, at: dot + 2, depth: depth)
            if Self.conversions.contains(name) { return (value, end) }
            return (.unresolved("\(value.shown).\(whole.shown)", mark), end)
        case .flag, .number, .unresolved:
            let (_, end) = called(name, mark, at: dot + 2, depth: depth)
            return (.unresolved("\(value.shown).\(name)", mark), end)
        }
    }

    private static let conversions: Set<String> = [
        "toTypedArray", "toSet", "toList", "toArray", "trim", "trimIndent", "mutableCopy", "copy",
    ]

    private mutating func joined(_ left: SourceValue, at plus: Int, depth: Int) -> (value: SourceValue, end: Int)? {
        let right = primary(at: plus + 1, depth: depth + 1)
        guard case .text(let first, let mark) = left, case .text(let second, _) = right.value else { return nil }
        return (.text(first + second, mark), right.end)
    }

    /// Passes over what cannot be read, up to what ends a value, brackets within it balanced.
    private mutating func unresolved(from start: Int, _ mark: Mark) -> (value: SourceValue, end: Int) {
        var (index, depth) = (start, 0)
        var source = ""
        while let next = token(index), steps > 0 {
            if depth == 0, isEnd(next) { break }
            steps -= 1
            if case .sign(let sign) = next.kind {
                if "([{".contains(sign) { depth += 1 }
                if ")]}".contains(sign) { depth -= 1 }
            }
            if source.utf8.count < 60 { source += next.shown }
            index += 1
        }
        return (.unresolved(source, mark), index)
    }
}

extension Token {
    /// As a message quotes it.
    fileprivate var shown: String {
        switch kind {
        case .word(let word): word
        case .text(let text), .interpolated(let text): "\"\(text.prefix(40))\""
        case .number(let digits): digits
        case .sign(let sign): String(sign)
        case .directive(let line): line
        }
    }
}
