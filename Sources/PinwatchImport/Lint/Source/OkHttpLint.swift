internal import PinwatchCore

/// A pinner that no client has.
enum OkHttpLint {
    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        guard sources.have(["OkHttpClient"]), !isGiven(sources) else { return [] }
        return source.places(of: ["CertificatePinner"]).compactMap { index in
            guard source.isSign(".", index + 1), source.word(index + 2) == "Builder" else { return nil }
            return source.problem(
                .pinnerUnused, .error, at: index,
                "A CertificatePinner is built and no client is given it, so nothing is pinned.",
                "Call certificatePinner(…) of the OkHttpClient's builder.")
        }
    }

    /// A call, or an assignment by Kotlin's property.
    private static func isGiven(_ sources: LintedSources) -> Bool {
        sources.all.contains { source in
            source.places(of: ["certificatePinner", "setCertificatePinner"]).contains { source.isSign("(", $0 + 1) }
        }
    }
}
