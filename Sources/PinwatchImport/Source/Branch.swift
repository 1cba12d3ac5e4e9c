internal import PinwatchCore

/// A statement whose condition is known where the app runs: `if`, Swift's `guard` and `switch`, Kotlin's `when`.
struct Branch {
    /// The word that begins it.
    let place: Int
    /// Of a choice between several cases, what they are held against.
    let condition: Range<Int>
    /// What runs where the condition holds, without its braces; of a choice all of its cases, of a `guard` nothing.
    let body: Range<Int>
    /// What runs where it fails: without braces, and all that remains where another `if` follows.
    let other: Range<Int>?
    /// Behind the whole statement.
    let end: Int
    /// Whether it is a choice between several cases.
    var isChoice = false
}

/// Finds the branches of Swift, Objective-C, Kotlin and Java among tokens.
struct BranchReader {
    /// The longest condition, and the longest statement without braces, that are followed.
    private static let limit = 400

    private let tokens: [Token]
    private let brackets: Brackets
    /// Behind each statement that was found, by its place.
    private var ends: [Int: Int] = [:]

    /// In the order of their places. From the last to the first, each finds those within it read.
    static func branches(_ tokens: [Token], _ brackets: Brackets) -> [Branch] {
        var reader = BranchReader(tokens: tokens, brackets: brackets)
        var found: [Branch] = []
        for index in tokens.indices.reversed() {
            guard let word = tokens[index].word, let branch = reader.branch(word, at: index) else { continue }
            reader.ends[index] = branch.end
            found.append(branch)
        }
        return found.reversed()
    }

    private init(tokens: [Token], brackets: Brackets) {
        self.tokens = tokens
        self.brackets = brackets
    }

    private func isSign(_ sign: Character, _ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].isSign(sign)
    }
    private func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

    private func branch(_ word: String, at index: Int) -> Branch? {
        guard !isSign(".", index - 1) else { return nil }
        switch word {
        case "if": return ifStatement(at: index)
        case "guard": return guardStatement(at: index)
        case "switch", "when": return choice(at: index, isWhen: word == "when")
        case _: return nil
        }
    }

    private func ifStatement(at index: Int) -> Branch? {
        guard let (condition, next) = condition(at: index + 1), let body = block(at: next) else { return nil }
        var (other, end): (Range<Int>?, Int) = (nil, body.end)
        if word(end) == "else" {
            if let last = ends[end + 1] {
                (other, end) = (end + 1..<last, last)
            } else if let block = block(at: end + 1) {
                (other, end) = block
            }
        }
        return Branch(place: index, condition: condition, body: body.range, other: other, end: end)
    }

    private func guardStatement(at index: Int) -> Branch? {
        var place = index + 1
        while place < min(index + Self.limit, tokens.count), word(place) != "else" { place = after(place) }
        guard word(place) == "else", let other = block(at: place + 1) else { return nil }
        return Branch(
            place: index, condition: index + 1..<place, body: place..<place, other: other.range, end: other.end)
    }

    /// Kotlin's `when` is a name in other languages, so it is taken for the statement by the bracket that follows.
    private func choice(at index: Int, isWhen: Bool) -> Branch? {
        guard !isWhen || isSign("(", index + 1) || isSign("{", index + 1),
            let (condition, next) = condition(at: index + 1), isSign("{", next), let body = block(at: next),
            !isWhen || next == index + 1 || next == condition.upperBound + 1
        else { return nil }
        return Branch(
            place: index, condition: condition, body: body.range, other: nil, end: body.end, isChoice: true)
    }

    /// The tokens of a condition, and where what it decides begins.
    private func condition(at start: Int) -> (Range<Int>, Int)? {
        if isSign("(", start), let close = brackets.end(of: start), !continues(at: close + 1) {
            return (start + 1..<close, close + 1)
        }
        var index = start
        while index < min(start + Self.limit, tokens.count), !isSign("}", index), !isSign(";", index) {
            if isSign("{", index) { return (start..<index, index) }
            index = after(index)
        }
        return nil
    }

    /// Whether Swift's condition goes on behind a bracket, which in other languages ends it.
    private func continues(at index: Int) -> Bool {
        guard tokens.indices.contains(index), case .sign(let sign) = tokens[index].kind else { return false }
        return "&|,.?<>=".contains(sign) || sign == "!" && isSign("=", index + 1)
    }

    /// A block in braces, or the one statement that stands in its place.
    private func block(at start: Int) -> (range: Range<Int>, end: Int)? {
        guard tokens.indices.contains(start) else { return nil }
        if isSign("{", start) { return brackets.end(of: start).map { (start + 1..<$0, $0 + 1) } }
        let end = statementEnd(start)
        return (start..<end, isSign(";", end) ? end + 1 : end)
    }

    private func statementEnd(_ start: Int) -> Int {
        var index = start
        while index < min(start + Self.limit, tokens.count), tokens[index].word != "else" {
            if case .sign(let sign) = tokens[index].kind, ";,)]}".contains(sign) { break }
            if case .directive = tokens[index].kind { break }
            if index > start, tokens[index].mark.line > tokens[index - 1].mark.line, !isJoined(at: index) { break }
            index = after(index)
        }
        return index
    }

    /// Whether a line is part of the statement before it.
    private func isJoined(at index: Int) -> Bool {
        if case .sign(let sign) = tokens[index].kind, ".?:&|+-*/=<>".contains(sign) { return true }
        guard case .sign(let sign) = tokens[index - 1].kind else { return false }
        return ".?:&|+-*/=<,".contains(sign)
    }

    /// The next token that is not within a bracket or a statement that begins here.
    private func after(_ index: Int) -> Int {
        if let end = ends[index] { return max(end, index + 1) }
        return brackets.end(of: index).map { $0 + 1 } ?? index + 1
    }
}
