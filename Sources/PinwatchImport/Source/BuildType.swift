internal import PinwatchCore

/// Android's `BuildConfig.DEBUG`, a constant that the build decides as Swift's `#if DEBUG` is decided.
enum BuildType {
    /// What of a source a build of a variant never runs.
    struct Left {
        /// Of each token, whether it runs.
        fileprivate(set) var runs: [Bool]
        /// Beside the code: conditions, `else` and braces, which mean nothing once the condition is decided.
        fileprivate(set) var frames: [Range<Int>] = []
        /// The statements that were decided, by their places, with the code that is left out.
        fileprivate(set) var decided: [(place: Int, code: [Range<Int>])] = []
    }

    /// The tokens that a build runs, and the statements that leave pins out.
    static func compiled(_ tokens: [Token], for variant: Variant) -> (tokens: [Token], decided: [Token]) {
        guard tokens.contains(where: { $0.word == "BuildConfig" }) else { return (tokens, []) }
        let brackets = Brackets(tokens)
        var left = left(tokens, brackets, BranchReader.branches(tokens, brackets), for: variant)
        for frame in left.frames { for index in frame { left.runs[index] = false } }
        let told = left.decided.filter { $0.code.contains { tokens[$0].contains(where: isOfPins) } }
        return (tokens.indices.filter { left.runs[$0] }.map { tokens[$0] }, told.map { tokens[$0.place] })
    }

    static func left(
        _ tokens: [Token], _ brackets: Brackets, _ branches: [Branch], for variant: Variant
    ) -> Left {
        var left = Left(runs: Array(repeating: true, count: tokens.count))
        // Code within code that is left out is not looked at again, so each token is passed over a few times at most.
        for branch in branches where left.runs[branch.place] && !branch.isChoice {
            let other = branch.other ?? branch.end..<branch.end
            let (taken, passed): (Range<Int>, Range<Int>)
            switch decide(tokens[branch.condition], for: variant) {
            case .holds: (taken, passed) = (branch.body, other)
            case .fails: (taken, passed) = (other, branch.body)
            case .open: continue
            }
            left.frames += [branch.place..<taken.lowerBound, taken.upperBound..<branch.end]
            var code = [passed]
            if leaves(tokens, brackets, taken), let end = brackets.end(of: brackets.opener(of: branch.place)) {
                code.append(branch.end..<max(end, branch.end))
            }
            for index in code.joined() { left.runs[index] = false }
            left.decided.append((branch.place, code))
        }
        return left
    }

    /// Whether what follows a block is not reached from it.
    private static func leaves(_ tokens: [Token], _ brackets: Brackets, _ block: Range<Int>) -> Bool {
        guard let first = block.first else { return false }
        let depth = brackets.opener(of: first)
        return block.prefix(2_000).contains { index in
            (tokens[index].word == "return" || tokens[index].word == "throw") && brackets.opener(of: index) == depth
        }
    }

    private static func isOfPins(_ token: Token) -> Bool {
        if case .text(let text) = token.kind { return text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }
        return ["add", "Pin", "CertificatePinner", "certificatePinner"].contains(token.word)
    }

    /// `BuildConfig.DEBUG`, its opposite, and what `&&` or `||` make of them.
    static func decide(_ condition: ArraySlice<Token>, for variant: Variant) -> ConditionalCode.Condition {
        let (all, any) = (condition.contains { $0.isSign("&") }, condition.contains { $0.isSign("|") })
        guard condition.count < 60, !(all && any) else { return .open }
        let parts = condition.split { $0.isSign("&") || $0.isSign("|") }.map { constant($0, variant) }
        if any { return parts.contains(.holds) ? .holds : parts.contains(.open) ? .open : .fails }
        if parts.contains(.fails) { return .fails }
        return parts.isEmpty || parts.contains(.open) ? .open : .holds
    }

    /// With its package before it, or without.
    private static func constant(_ part: ArraySlice<Token>, _ variant: Variant) -> ConditionalCode.Condition {
        let name = part.drop { $0.isSign("!") }
        guard name.suffix(3).map(\.kind) == [.word("BuildConfig"), .sign("."), .word("DEBUG")],
            name.allSatisfy({ $0.word != nil || $0.isSign(".") })
        else { return .open }
        let isNegated = (part.count - name.count) % 2 == 1
        return (variant == .debug) != isNegated ? .holds : .fails
    }
}
