internal import PinwatchCore

/// Evaluators that the app declares itself: those that hide the library's, and those that refuse nothing.
enum OwnEvaluatorLint {
    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        shadowing(source) + accepting(source) + closures(source)
    }

    private static func shadowing(_ source: LintedSource) -> [LintProblem] {
        source.places(of: Set(AlamofireNames.evaluators.keys)).compactMap { index in
            guard ["class", "struct", "enum", "actor", "typealias"].contains(source.word(index - 1) ?? "") else {
                return nil
            }
            let name = source.word(index) ?? ""
            return source.problem(
                .shadowedName, .error, at: index,
                "The app declares its own \(name), which hides Alamofire's: what looks like the library's check is "
                    + "whatever this type does.",
                "Give it another name, or take it out and use the library's.")
        }
    }

    /// `func evaluate(_ trust: SecTrust, forHost host: String) throws {}`, and what returns true whatever is asked.
    private static func accepting(_ source: LintedSource) -> [LintProblem] {
        source.places(of: ["evaluate", "evaluateServerTrust"]).compactMap { index in
            guard ["func", "fun"].contains(source.word(index - 1) ?? ""),
                let close = source.end(of: index + 1),
                source.tokens[index..<close].contains(where: { ["SecTrust", "forHost"].contains($0.word ?? "") }),
                let body = source.body(ofFunctionAt: index), isIdle(source.tokens[body])
            else { return nil }
            return source.problem(
                .trustDisabled, .error, at: index,
                "\(source.word(index) ?? "") refuses nothing, so every certificate is accepted, whoever made it.",
                "Evaluate the chain, compare the pins, and throw where either fails.")
        }
    }

    /// Alamofire 4's `.customEvaluation { _, _ in true }`.
    private static func closures(_ source: LintedSource) -> [LintProblem] {
        source.places(of: ["customEvaluation"]).compactMap { index in
            var open = index + 1
            if source.isSign("(", open) { open += 1 }
            guard source.isSign("{", open), let end = source.end(of: open) else { return nil }
            let body = source.tokens[(open + 1)..<end]
            let code = body.firstIndex { $0.word == "in" }.map { body[($0 + 1)...] } ?? body
            guard !code.isEmpty, isIdle(code) else { return nil }
            return source.problem(
                .trustDisabled, .error, at: index,
                "customEvaluation is true for every certificate, whoever made it.",
                "Evaluate the chain, compare the pins, and return false where either fails.")
        }
    }

    private static func isIdle(_ code: ArraySlice<Token>) -> Bool {
        code.allSatisfy { $0.isSign(";") || ["return", "true", "YES"].contains($0.word ?? "") }
    }
}
