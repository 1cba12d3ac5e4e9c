/// One answer of several ways in which a certificate may come to be issued.
enum PreflightSettling {
    /// The answer that all ways share; `unknown`, which says what it takes, where they differ.
    ///
    /// - Parameter judged: Never empty; the first is what holds unless another is said.
    static func settled(_ judged: [(PreflightHypothesis, ReleaseVerdict)]) -> ReleaseVerdict {
        guard let first = judged.first?.1 else { preconditionFailure("a candidate is served in some way") }
        let layers = first.layers.indices.map { place in
            ReleaseVerdict.Layer(
                client: first.layers[place].client,
                verdict: settled(judged.map { ($0.0, $0.1.layers[place].verdict) }))
        }
        return ReleaseVerdict(layers: layers, deciding: settled(judged.map { ($0.0, $0.1.deciding) }))
    }

    private static func settled(_ judged: [(PreflightHypothesis, Verdict)]) -> Verdict {
        let first = judged[0].1
        guard judged.contains(where: { $0.1.kind != first.kind || $0.1.by != first.by }) else {
            return judged[0].0.isHypothetical ? SyntheticCertificate.scrubbed(first) : first
        }
        var groups: [(verdict: Verdict, issuers: [String])] = []
        for (way, verdict) in judged {
            if let known = groups.firstIndex(where: { $0.verdict.kind == verdict.kind && $0.verdict.by == verdict.by })
            {
                groups[known].issuers.append(way.issuer)
            } else {
                groups.append((verdict, [way.issuer]))
            }
        }
        let words = groups.map { "\(kind($0.verdict)) if by \(listed($0.issuers))" }
        return Verdict(
            .unknown, code: "depends_on_issuer",
            reason: "it depends on who issues the certificate: " + words.joined(separator: "; "),
            notes: groups.map { "\(kind($0.verdict)): \(SyntheticCertificate.scrubbed($0.verdict).reason)" })
    }

    private static func kind(_ verdict: Verdict) -> String {
        verdict.kind.rawValue + (verdict.by.map { " by \($0.rawValue)" } ?? "")
    }

    private static func listed(_ issuers: [String]) -> String {
        let shown = issuers.prefix(3).joined(separator: " or ")
        return issuers.count > 3 ? shown + " or \(issuers.count - 3) more" : shown
    }
}
