internal import PinwatchCore

/// Delegates and evaluators written by hand: what they decide by, and whether they evaluate at all.
enum EvaluationLint {
    private static let evaluations: Set<String> = [
        "SecTrustEvaluateWithError", "SecTrustEvaluate", "SecTrustEvaluateAsync", "SecTrustEvaluateAsyncWithError",
        "evaluate", "handleChallenge", "evaluateServerTrust", "evaluateTrust", "pinningValidator", "handle",
    ]

    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        credentials(source) + names(source) + ignored(source)
    }

    /// `.useCredential` for a trust that nobody evaluated; a client's own identity is none of this.
    private static func credentials(_ source: LintedSource) -> [LintProblem] {
        let accepting: Set<String> = ["useCredential", "NSURLSessionAuthChallengeUseCredential"]
        guard source.has(["serverTrust", "SecTrust", "NSURLAuthenticationMethodServerTrust"]) else { return [] }
        let isEvaluated = source.has(evaluations)
        return source.places(of: accepting).compactMap { index in
            let body = source.tokens[source.function(around: index)].prefix(5_000)
            guard !body.contains(where: { $0.word.map(evaluations.contains) ?? false }),
                body.contains(where: { ["serverTrust", "trust", "credentialForTrust"].contains($0.word ?? "") })
            else { return nil }
            return source.problem(
                .credentialUnevaluated, isEvaluated ? .warning : .error, at: index,
                "The server's certificate is accepted in a function that does not evaluate it.",
                "Call SecTrustEvaluateWithError, compare the pins, and cancel where either fails.")
        }
    }

    /// A subject is text that whoever makes a certificate chooses.
    private static func names(_ source: LintedSource) -> [LintProblem] {
        let subjects: Set<String> = [
            "SecCertificateCopySubjectSummary", "SecCertificateCopyCommonName", "getSubjectDN", "subjectDN",
            "getSubjectX500Principal", "subjectX500Principal", "getIssuerDN", "issuerDN", "getIssuerX500Principal",
            "issuerX500Principal",
        ]
        let comparing: Set<String> = [
            "contains", "hasPrefix", "hasSuffix", "isEqualToString", "containsString", "equals", "startsWith",
            "endsWith",
            "indexOf",
        ]
        let deciding: Set<String> = [
            "useCredential", "URLCredential", "completionHandler", "serverTrust", "checkServerTrusted", "SecTrust",
            "cancelAuthenticationChallenge", "CertificateException",
        ]
        return source.places(of: subjects).compactMap { index in
            let range = source.function(around: index)
            let body = source.tokens[range].prefix(5_000)
            let isCompared =
                body.contains { $0.word.map(comparing.contains) ?? false }
                || zip(body, body.dropFirst()).contains { $0.isSign("=") && $1.isSign("=") }
            let header = source.tokens[max(range.lowerBound - 60, 0)..<range.lowerBound]
            let decides = (body + header).contains { $0.word.map(deciding.contains) ?? false }
            guard isCompared, decides else { return nil }
            return source.problem(
                .trustByName, .error, at: index,
                "Trust is decided by text in the certificate, which whoever makes a certificate may write into it.",
                "Compare the hash of the key, after the chain has been evaluated.")
        }
    }

    /// `try? evaluator.evaluate(…)`, and a result of `SecTrustEvaluateWithError` that goes nowhere.
    private static func ignored(_ source: LintedSource) -> [LintProblem] {
        let tries = source.places(of: ["try"]).filter { source.isSign("?", $0 + 1) && evaluates(source, after: $0) }
        let dropped = source.places(of: ["SecTrustEvaluateWithError"]).filter { index in
            source.isSign("=", index - 1) && source.word(index - 2) == "_"
        }
        return (tries + dropped).map { index in
            source.problem(
                .failureIgnored, .error, at: index,
                "The evaluation's failure is thrown away here, so a certificate that fails passes.",
                "Let the error through, or cancel the challenge.")
        }
    }

    /// A bare `try?` whose value is looked at decides after all.
    private static func evaluates(_ source: LintedSource, after place: Int) -> Bool {
        let before = source.word(place - 1) ?? ""
        guard !source.isSign("(", place - 1), !["guard", "if", "return", "let"].contains(before),
            source.word(place - 2) != "let" && source.word(place - 3) != "let" || source.word(place - 2) == "_"
        else { return false }
        let line = source.tokens[place].mark.line
        var index = place + 2
        while index < min(place + 40, source.tokens.count) {
            let token = source.tokens[index]
            if token.isSign(";") || token.isSign("}") || token.mark.line > line + 2 { return false }
            if token.word == "evaluate", source.isSign("(", index + 1) { return true }
            index += 1
        }
        return false
    }
}
