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
        let blocks = source.places(of: ["if"]).filter { isSwitch(source, $0) }
        let compiled = source.places(of: trust).filter { source.conditional.contains($0) }
        let chosen = source.places(of: ["serverTrustManager", "certificatePinner"]).filter { isChosen(source, $0) }
        return (blocks + compiled.prefix(1) + chosen).map { index in
            source.problem(
                .pinningSwitch, .warning, at: index,
                "A condition decides here whether connections are pinned, and a release build may take either way.",
                "Pin in every release build; where a debug build must not, write #if DEBUG.")
        }
    }

    private static func isSwitch(_ source: LintedSource, _ place: Int) -> Bool {
        var open = place + 1
        var condition: [String] = []
        // Kotlin's and Java's condition stands in brackets, which are passed over as a whole.
        while open < min(place + 60, source.tokens.count), !source.isSign("{", open) {
            if let word = source.word(open) { condition.append(word.lowercased()) }
            open += 1
        }
        guard let end = source.end(of: open),
            condition.contains(where: { word in switches.contains { word.contains($0) } }),
            condition != ["buildconfig", "debug"]
        else { return false }
        let body = source.tokens[open..<end].prefix(2_000)
        return body.contains { $0.word.map(trust.contains) ?? false }
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
