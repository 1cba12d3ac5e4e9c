extension Verdict {
    /// One answer for what a file leaves open: that of the case which is assumed, unless the cases differ in kind, or in
    /// why nothing is pinned; then `unknown`, which names what it depends on.
    ///
    /// - Parameters:
    ///   - question: What would settle it, as in "client_version, below 8.18 or not".
    ///   - cases: Each with its name, such as `curl 8.18`. The first is the one that is assumed. Never empty.
    static func whichever(_ question: String, _ first: (String, Verdict), _ others: (String, Verdict)...) -> Verdict {
        let all = [first] + others
        guard others.contains(where: { $0.1.kind != first.1.kind || $0.1.by != first.1.by }) else { return first.1 }
        let words = all.map { "\($0.0): \($0.1.kind.rawValue) (\($0.1.reason))" }.joined(separator: "; ")
        return Verdict(
            .unknown, code: "depends_on_version",
            reason: "it depends on \(question), which the file does not say: \(words)")
    }

    /// The answer on the newest systems, which are assumed where nothing names a platform, with a note if older ones give
    /// another.
    ///
    /// - Parameters:
    ///   - assumed: The systems that are assumed, as in `iOS 14 or newer`.
    ///   - older: What systems before answer, and their name.
    static func newest(_ assumed: String, _ verdict: Verdict, older: (String, Verdict)) -> Verdict {
        guard older.1.kind != verdict.kind || older.1.by != verdict.by else { return verdict }
        return verdict.noting(
            [
                "\(assumed) is assumed, for no platform is named; on \(older.0) it is \(older.1.kind.rawValue): \(older.1.reason)"
            ])
    }

    /// The same verdict with further notes in front.
    func noting(_ notes: [String]) -> Verdict {
        var verdict = self
        verdict.notes = notes + verdict.notes
        return verdict
    }
}
