internal import PinwatchCore

/// Trust managers and host name verifiers that let everybody through.
enum AndroidTrustLint {
    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        managers(source) + verifiers(source)
    }

    private static func managers(_ source: LintedSource) -> [LintProblem] {
        source.places(of: ["checkServerTrusted"]).filter { doesNothing(source, $0) }.map { index in
            source.problem(
                .trustDisabled, .error, at: index,
                "checkServerTrusted does nothing, so every certificate is accepted, whoever made it.",
                "Use the platform's trust manager.")
        }
    }

    /// A declaration with an empty body, or one that only returns.
    private static func doesNothing(_ source: LintedSource, _ place: Int) -> Bool {
        guard let body = source.body(ofFunctionAt: place) else { return false }
        return source.tokens[body].allSatisfy { $0.isSign(";") || $0.word == "return" || $0.word == "Unit" }
    }

    private static func verifiers(_ source: LintedSource) -> [LintProblem] {
        let named = source.places(of: [
            "NoopHostnameVerifier", "ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier",
        ])
        let written = source.places(of: ["HostnameVerifier", "hostnameVerifier"]).filter {
            acceptsAll(source, after: $0)
        }
        let methods = source.places(of: ["verify"]).filter { returnsTrue(source, $0) }
        return (named + written + methods).map { index in
            source.problem(
                .hostNotValidated, .error, at: index,
                "Every host name is accepted, so a trusted certificate for any other host passes.",
                "Leave the library's own host name verifier in place.")
        }
    }

    /// `HostnameVerifier { _, _ -> true }` and `hostnameVerifier((name, session) -> true)`.
    private static func acceptsAll(_ source: LintedSource, after place: Int) -> Bool {
        guard source.isSign("{", place + 1) || source.isSign("(", place + 1), let end = source.end(of: place + 1) else {
            return false
        }
        let body = source.tokens[(place + 2)..<end]
        guard body.count < 60, body.contains(where: { $0.isSign(">") }) || source.isSign("{", place + 1) else {
            return false
        }
        let last = body.last { !$0.isSign("}") && !$0.isSign(";") }
        return last?.word == "true"
            && !body.contains { $0.word == "verify" || $0.word == "if" || $0.isSign("&") || $0.isSign("|") }
    }

    /// `boolean verify(String name, SSLSession session) { return true; }`
    private static func returnsTrue(_ source: LintedSource, _ place: Int) -> Bool {
        guard source.isSign("(", place + 1), let close = source.end(of: place + 1),
            source.tokens[place..<close].contains(where: { $0.word == "SSLSession" })
        else { return false }
        var open = close + 1
        while open < close + 5, !source.isSign("{", open), !source.isSign("=", open) { open += 1 }
        if source.isSign("=", open) { return source.word(open + 1) == "true" }
        return source.word(open + 1) == "return" && source.word(open + 2) == "true"
    }
}
