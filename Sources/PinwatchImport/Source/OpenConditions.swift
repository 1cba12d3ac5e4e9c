internal import PinwatchCore

/// Which tokens stand under a condition that only the running app decides.
struct OpenConditions {
    private let tokens: [Token]
    private let brackets: Brackets
    /// Of each token the place of the innermost such statement around it; -1 for none.
    private let owners: [Int32]

    init(_ tokens: [Token]) {
        self.tokens = tokens
        brackets = Brackets(tokens)
        let branches = BranchReader.branches(tokens, brackets).filter { !Self.makesOnce(tokens, $0) }
        var parts = branches.flatMap { branch in
            [branch.body, branch.other ?? branch.end..<branch.end].filter { !$0.isEmpty }.map { ($0, branch.place) }
        }
        parts.sort { ($0.0.lowerBound, -$0.0.upperBound) > ($1.0.lowerBound, -$1.0.upperBound) }
        var (owners, open): ([Int32], [(end: Int, place: Int)]) = ([], [])
        owners.reserveCapacity(tokens.count)
        for index in tokens.indices {
            while let last = open.last, last.end <= index { open.removeLast() }
            while let next = parts.last, next.0.lowerBound <= index {
                open.append((next.0.upperBound, next.1))
                parts.removeLast()
            }
            owners.append(Int32(open.last?.place ?? -1))
        }
        self.owners = owners
    }

    /// The word that begins the condition around a token, or the sign of a choice that its value is one side of.
    func around(_ index: Int) -> Token? {
        guard owners.indices.contains(index) else { return nil }
        if owners[index] >= 0 { return tokens[Int(owners[index])] }
        return choice(around: index)
    }

    /// `if (client == null) { client = … }`: what is made when it is first asked for, and always alike.
    private static func makesOnce(_ tokens: [Token], _ branch: Branch) -> Bool {
        let condition = tokens[branch.condition]
        guard branch.other == nil, condition.count < 12, tokens[branch.place].word == "if" else { return false }
        let isAbsence = condition.contains { $0.word == "null" || $0.word == "nil" }
        let isEqual = condition.contains { $0.isSign("=") } && !condition.contains { $0.isSign("!") }
        guard isAbsence && isEqual || condition.first?.isSign("!") ?? false else { return false }
        let others: Set<String> = ["null", "nil", "this", "self"]
        let names = condition.compactMap(\.word).filter { !others.contains($0) }
        guard let name = names.last, condition.allSatisfy({ $0.word != nil || "=!.".contains($0) }) else {
            return false
        }
        return branch.body.dropLast(2).contains { index in
            tokens[index].word == name && tokens[index + 1].isSign("=") && !tokens[index + 2].isSign("=")
        }
    }

    /// The sign of `a ? b : c`, `a ?: b` and `a ?? b` before a value, which makes it one of two.
    private func choice(around place: Int) -> Token? {
        var (index, open, isNear) = (place - 1, brackets.opener(of: place), true)
        for _ in 0..<200 where index >= 0 {
            if index == open {
                guard !tokens[index].isSign("{") else { return nil }
                (open, isNear) = (brackets.opener(of: index), false)
            } else if brackets.opener(of: index) == open {
                if isStatementEnd(index, within: open) { return nil }
                if tokens[index].isSign(";") || tokens[index].isSign(",") && isNear { return nil }
                if tokens[index].isSign("?"), chooses(index, isNear: isNear) { return tokens[index] }
            }
            index -= 1
        }
        return nil
    }

    /// Whether the next line begins another statement: between round or square brackets none does.
    private func isStatementEnd(_ index: Int, within open: Int) -> Bool {
        guard open < 0 || tokens[open].isSign("{"), tokens[index].mark.line < tokens[index + 1].mark.line else {
            return false
        }
        return !".?:".contains(tokens[index + 1]) && !".?:=(,".contains(tokens[index])
    }

    /// A sign that stands right behind a word is of an optional, not of a choice.
    private func chooses(_ index: Int, isNear: Bool) -> Bool {
        guard index > 0, index + 1 < tokens.count else { return false }
        let (before, next) = (tokens[index - 1], tokens[index + 1])
        if next.isSign(":") || next.isSign("?") || before.isSign("?") { return isNear }
        guard case .sign(let sign) = before.kind else {
            let width = before.word?.count ?? 0
            return before.mark.line != tokens[index].mark.line || before.mark.column + width < tokens[index].mark.column
        }
        return ")]".contains(sign) && before.mark.column + 1 < tokens[index].mark.column
    }
}

extension String {
    /// Whether a token is one of these signs.
    fileprivate func contains(_ token: Token) -> Bool {
        if case .sign(let sign) = token.kind { contains(sign) } else { false }
    }
}
