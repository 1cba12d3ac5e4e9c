internal import PinwatchCore

/// Conditions that decide whether connections are pinned at all.
enum SwitchLint {
    private static let trust: Set<String> = [
        "ServerTrustManager", "ServerTrustPolicyManager", "initSharedInstance", "CertificatePinner",
        "certificatePinner",
        "AFSecurityPolicy", "serverTrustManager",
    ]
    private static let switches = [
        "pinning", "pinned", "debug", "remote", "flag", "toggle", "feature", "enable", "disable", "insecure", "staging",
        "bypass", "skip",
    ]

    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        let (binding, open) = (source.places(of: trust), sources.have(trust) ? UnpinnedClient.places(source) : [])
        let branches = source.branches.lazy.filter { isSwitch(source, $0, binding: binding, open: open) }
            .prefix(LintedSource.limit).map(\.place)
        let compiled = source.places(of: trust).filter { source.conditional.contains($0) }
        let chosen = source.places(of: ["serverTrustManager", "certificatePinner"]).filter { isChosen(source, $0) }
        let word = source.isOfJVM ? "ask BuildConfig.DEBUG" : "write #if DEBUG"
        return (Array(branches) + compiled.prefix(1) + chosen).map { index in
            source.problem(
                .pinningSwitch, .warning, at: index,
                "A condition decides here whether connections are pinned, and a release build may take either way.",
                "Pin in every release build; where a debug build must not, \(word).")
        }
    }

    /// - Parameters:
    ///   - binding: Where pins are bound to connections.
    ///   - open: Where clients without pins are made.
    private static func isSwitch(_ source: LintedSource, _ branch: Branch, binding: [Int], open: [Int]) -> Bool {
        let sides = [branch.body, branch.other ?? branch.end..<branch.end]
        let decides = sides.contains { side in
            binding.contains(where: side.contains)
                || open.contains { side.contains($0) && UnpinnedClient.isResult(source, at: $0, of: side) }
        }
        guard decides, BuildType.decide(source.tokens[branch.condition], for: .release) == .open else { return false }
        return isSwitch(source.tokens[branch.condition]) || branch.isChoice && hasSwitchingCase(source, branch.body)
    }

    /// Names and literals alike: `remoteConfig.pinning`, `bool(forKey: "disablePinning")`.
    private static func isSwitch(_ condition: ArraySlice<Token>) -> Bool {
        condition.prefix(100).contains { token in
            let text: String
            switch token.kind {
            case .word(let word): text = word.lowercased()
            case .text(let literal), .interpolated(let literal): text = literal.prefix(100).lowercased()
            case .number, .sign, .directive: return false
            }
            return switches.contains { text.contains($0) }
        }
    }

    /// What stands before an arrow of Kotlin's `when { remoteConfig.pinning -> … }`.
    private static func hasSwitchingCase(_ source: LintedSource, _ body: Range<Int>) -> Bool {
        body.prefix(2_000).contains { index in
            guard source.isSign("-", index), source.isSign(">", index + 1),
                source.opener(of: index) == body.lowerBound - 1
            else { return false }
            let line = source.tokens[index].mark.line
            let head = source.tokens[max(body.lowerBound, index - 40)..<index].reversed().prefix { token in
                token.mark.line == line && !token.isSign("{") && !token.isSign("}") && !token.isSign(";")
            }
            return isSwitch(ArraySlice(head))
        }
    }

    /// `serverTrustManager: isPinned ? manager : nil`.
    private static func isChosen(_ source: LintedSource, _ place: Int) -> Bool {
        guard source.isSign(":", place + 1) else { return false }
        var (index, sawChoice) = (place + 2, false)
        while index < min(place + 40, source.tokens.count) {
            if source.isSign(",", index) || source.isSign(")", index) { return false }
            if source.isSign("?", index) { sawChoice = true }
            if sawChoice, source.word(index) == "nil" || source.word(index) == "null" { return true }
            index += 1
        }
        return false
    }
}
