/// A client's verdicts on each of several paths, of which the device takes one.
struct PathVerdicts {
    private let judged: [(path: Path, verdict: Verdict)]
    private let entry: String

    /// - Parameters:
    ///   - judged: In the client's own order, never empty.
    ///   - entry: What the verdicts are about, for the reason.
    init(_ judged: [(Path, Verdict)], entry: String) {
        self.judged = judged.map { (path: $0.0, verdict: $0.1) }
        self.entry = entry
    }

    /// The verdict that all share, or `depends_on_path`.
    var settled: Verdict {
        guard let first = judged.first else {
            preconditionFailure("verdicts on paths need a path")
        }
        var verdict = first.verdict
        if judged.contains(where: { $0.verdict.kind != verdict.kind }) {
            let words = judged.map { "\($0.verdict.kind.rawValue) on the path to \(name(of: $0.path))" }
            verdict = Verdict(
                .dependsOnPath, code: "paths_disagree",
                reason: "\(entry): \(words.joined(separator: ", ")); devices differ in which they take",
                notes: judged.flatMap(\.verdict.notes).uniqued)
        }
        verdict.paths = judged.map { path, verdict in
            Verdict.PathVerdict(
                anchorSubject: path.anchor.subject, anchor: path.anchor.fingerprint, kind: verdict.kind)
        }
        return verdict
    }

    private func name(of path: Path) -> String { path.anchor.subject ?? path.anchor.fingerprint.hex }
}

extension Presentation {
    /// The same to a device that has built this path and no other.
    func along(_ path: Path) -> Presentation {
        let verification = Verification(
            trustStore: verification.trustStore, valid: verification.valid, code: verification.code,
            reason: verification.reason, hostMatches: verification.hostMatches, paths: [path],
            stray: verification.stray, missingIssuer: verification.missingIssuer)
        return Presentation(
            host: host, assessment: assessment, verification: verification, now: now, release: release,
            known: known)
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it stands first.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
