internal import PinwatchCore

/// What a source asks of Alamofire that takes checks away, and requests beside the session that has them.
enum AlamofireLint {
    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        disabled(source, sources) + flags(source) + taught(source, sources) + shared(source, sources)
    }

    private static func disabled(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        source.places(of: ["DisabledTrustEvaluator", "disableEvaluation"]).compactMap { index in
            let word = source.word(index) ?? ""
            // A type of the app's own name is another one.
            guard !["class", "struct", "enum", "func", "case"].contains(source.word(index - 1) ?? ""),
                !sources.declare(word)
            else { return nil }
            return source.problem(
                .trustDisabled, .error, at: index, "\(word) accepts every certificate, whoever made it.",
                "Take it out of what ships, and pin the host or leave it to default validation.")
        }
    }

    private static func flags(_ source: LintedSource) -> [LintProblem] {
        let off = source.places(of: ["validateHost", "performDefaultValidation", "validateCertificateChain"])
            .filter { isFlag("false", source, $0) }
        let bothOff = Dictionary(grouping: off, by: { source.opener(of: $0) }).filter { $0.value.count > 1 }
        let validations = off.compactMap { index -> LintProblem? in
            let (word, isBoth) = (source.word(index) ?? "", bothOff[source.opener(of: index)] != nil)
            switch word {
            case "validateHost" where !isBoth:
                return source.problem(
                    .hostNotValidated, .warning, at: index,
                    "validateHost is false: a certificate for any other host passes, if a pin matches its chain.",
                    "Leave it at true.")
            case "performDefaultValidation" where !isBoth:
                return source.problem(
                    .validationOff, .note, at: index,
                    "performDefaultValidation is false, which changes little: the host's validation checks the "
                        + "chain as "
                        + "well.", "Leave it at true.")
            case "validateHost": return nil
            case _:
                return source.problem(
                    .validationOff, .error, at: index,
                    "\(word) is false\(isBoth ? ", and so is validateHost" : ""): neither chain nor dates nor host "
                        + "are checked "
                        + "before pins are compared.", "Leave it at true.")
            }
        }
        return validations + selfSigned(source) + unlisted(source)
    }

    private static func selfSigned(_ source: LintedSource) -> [LintProblem] {
        source.places(of: ["acceptSelfSignedCertificates"]).filter { isFlag("true", source, $0) }.map { index in
            source.problem(
                .selfSignedAccepted, .warning, at: index,
                "acceptSelfSignedCertificates is true: the pinned certificates are the only anchors, and a chain "
                    + "of a public "
                    + "authority must end in one of them.",
                "Leave it at false, unless the host's authority is your own.")
        }
    }

    private static func unlisted(_ source: LintedSource) -> [LintProblem] {
        source.places(of: ["allHostsMustBeEvaluated"]).filter { isFlag("false", source, $0) }.map { index in
            source.problem(
                .unlistedHosts, .warning, at: index,
                "allHostsMustBeEvaluated is false: a host that is not listed letter for letter is let through "
                    + "unpinned.",
                "Leave it at true, and list the hosts that need no pins with a DefaultTrustEvaluator.")
        }
    }

    private static func isFlag(_ word: String, _ source: LintedSource, _ index: Int) -> Bool {
        source.isSign(":", index + 1) && source.word(index + 2) == word
    }

    private static func taught(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        source.places(of: Set(AlamofireNames.taught.keys)).compactMap { index in
            guard let word = source.word(index), let hint = AlamofireNames.taught[word], !sources.declare(word) else {
                return nil
            }
            return source.problem(
                .unknownName, .warning, at: index,
                "Alamofire has no \(word): articles teach it, and \(hint).",
                "Use the library's own name, or hand over the source that declares this one.")
        }
    }

    /// `AF.request` beside a session with server trust.
    private static func shared(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        let managers: Set<String> = ["ServerTrustManager", "ServerTrustPolicyManager"]
        let requests: Set<String> = ["request", "upload", "download", "streamRequest", "webSocketRequest"]
        guard sources.have(managers) else { return [] }
        return source.places(of: ["AF", "Alamofire"]).compactMap { index in
            guard source.isSign(".", index + 1), let call = source.word(index + 2), requests.contains(call),
                source.isSign("(", index + 3), !source.isSign(".", index - 1)
            else { return nil }
            return source.problem(
                .sessionUnpinned, .error, at: index,
                "\(source.word(index) ?? "").\(call) goes through Alamofire's shared session, which none of the "
                    + "app's pins bind.",
                "Call \(call) of the Session that has the ServerTrustManager.")
        }
    }
}
