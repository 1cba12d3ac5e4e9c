/// Alamofire 5's ServerTrustManager (pin-semantics 1.1, read from 5.12.0).
///
/// Hosts are looked up letter for letter. What the evaluators do is in ``AlamofireEvaluator``.
package struct AlamofirePolicy: PinPolicy {
    struct Entry {
        let host: String
        let evaluator: AlamofireEvaluator
        /// A sentence for each key that the file gives in vain.
        var idle: [String] = []
    }

    let entries: [Entry]
    /// Whether a host without an evaluator is refused.
    let allHostsMustBeEvaluated: Bool
    private let index: ExactHosts

    init(entries: [Entry], allHostsMustBeEvaluated: Bool = true) {
        self.entries = entries
        index = ExactHosts(entries.map(\.host))
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        let keys = ["all_hosts_must_be_evaluated", "evaluators"]
        guard let policy = reader.mapping(node, "policy", allowed: keys) else { return nil }
        let all = policy[keys[0]].map { reader.flag($0, keys[0]) }
        let members = policy.required(keys[1], &reader).flatMap { reader.members($0, keys[1]) } ?? []
        let entries = members.compactMap { Entry(from: $0, reader: &reader) }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries, allHostsMustBeEvaluated: (all ?? true) ?? true)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        guard let entry = entry(for: presentation.host) else { return unlisted(presentation) }
        return entry.evaluator.verdict(for: entry.host, of: presentation).noting(entry.idle)
    }

    package func concerns(host: String) -> Bool {
        allHostsMustBeEvaluated || entry(for: host) != nil || near(host) != nil
    }

    package func patterns(covering host: String) -> [String] { entry(for: host).map { [$0.host] } ?? [] }

    package var hosts: [PinnedHost] {
        entries.map {
            PinnedHost(pattern: $0.host, match: $0.evaluator.word, pins: $0.evaluator.pins, expires: nil)
        }
    }

    package var allPins: [Pin] { entries.flatMap(\.evaluator.pins) }

    package func pins(for host: String, now: Instant) -> [Pin] { entry(for: host)?.evaluator.loadedPins ?? [] }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        entries.contains { $0.evaluator.matches(pin, certificate) }
    }

    package var refusesUnlistedHosts: Bool { allHostsMustBeEvaluated }

    /// Alamofire's pins have no end.
    package var expiries: [PinExpiry] { [] }

    private func entry(for host: String) -> Entry? { index[host].map { entries[$0] } }

    private func near(_ host: String) -> String? { index.nearMiss(for: host) }

    private func unlisted(_ presentation: Presentation) -> Verdict {
        let near = near(presentation.host)
        guard allHostsMustBeEvaluated else { return presentation.appleUnlisted(near: near) }
        return Verdict(
            .rejectPin, code: "no_evaluator",
            reason: "no evaluator is listed for \(presentation.host), and all hosts must be evaluated"
                + (near.map { "; \($0)" } ?? ""))
    }
}

extension AlamofirePolicy.Entry {
    fileprivate init?(from member: Node.Member, reader: inout NodeReader) {
        guard !member.key.isEmpty else {
            reader.report(member.keyMark, "a host must not be empty")
            return nil
        }
        var idle: [String] = []
        let evaluator = AlamofireEvaluator(
            from: member.value, what: "host \(member.key)", idle: &idle, reader: &reader)
        guard let evaluator else { return nil }
        self.init(host: member.key, evaluator: evaluator, idle: idle)
    }
}
