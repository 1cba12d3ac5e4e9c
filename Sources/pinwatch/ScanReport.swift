internal import PinwatchCore

/// What a person reads of the hellos to one address.
enum ScanReport {
    /// Each hello with what it got; a narrowed one that got what another did already takes a line.
    static func text(_ hellos: [Visit], now: Instant) -> String {
        var blocks: [String] = []
        let wide = hellos.filter { !$0.observation.profile.isNarrowed }
        let hellos = wide + hellos.filter(\.observation.profile.isNarrowed)
        for (index, visit) in hellos.enumerated() {
            let keys = visit.observation.profile == .rsa ? "RSA" : "ECDSA"
            if case .noSuchKeyFamily = visit.observation.outcome {
                blocks.append("  \(keys) keys alone: none")
            } else if visit.observation.profile.isNarrowed, let chain = visit.observation.chain?.id,
                hellos[..<index].contains(where: { $0.observation.chain?.id == chain })
            {
                blocks.append("  \(keys) keys alone: the same chain")
            } else {
                blocks.append(text(visit, now: now))
            }
        }
        return blocks.joined(separator: "\n")
    }

    private static func text(_ visit: Visit, now: Instant) -> String {
        let observation = visit.observation
        var lines = [visit.identity.label + "  " + (observation.address?.description ?? "no address")]
        let spoken = [observation.tlsVersion?.rawValue, observation.cipher, observation.alpn].compactMap { $0 }
        lines.append("  " + ([outcome(observation)] + spoken).joined(separator: " · "))
        if let verification = visit.verification { lines += verdict(verification) }
        for (index, summary) in visit.summaries.enumerated() {
            lines += certificate(summary, number: index + 1, now: now)
        }
        if !visit.weak.isEmpty { lines.append("  weak: " + visit.weak.map(\.rawValue).joined(separator: ", ")) }
        return lines.joined(separator: "\n")
    }

    private static func outcome(_ observation: Observation) -> String {
        let hello = observation.profile == .phone ? "" : " (\(observation.profile.rawValue) hello)"
        guard case .object(let members) = observation.outcome.detail else { return observation.outcome.word + hello }
        let detail = members.map { name, value in
            if case .string(let text) = value {
                name == "message" ? text : "\(name) \(text)"
            } else {
                "\(name) \(value.text)"
            }
        }
        return observation.outcome.word + hello + ": " + detail.joined(separator: ", ")
    }

    private static func verdict(_ verification: Verification) -> [String] {
        let name = verification.hostMatches ? "the name matches" : "the name does not match"
        var lines = ["  \(verification.valid ? "valid" : "not valid (\(verification.code.rawValue))"), \(name)"]
        if !verification.valid { lines.append("  " + verification.reason) }
        if let path = verification.paths.first {
            lines.append("  leads to \(path.anchor.subject ?? "an anchor without a readable name")")
        }
        if !verification.stray.isEmpty {
            lines.append(
                "  stray, on no path: " + verification.stray.map { $0.hex.prefix(16) + "…" }.joined(separator: ", "))
        }
        return lines
    }

    private static func certificate(_ summary: CertificateSummary, number: Int, now: Instant) -> [String] {
        let key = summary.key.map { key in
            [key.type, key.curve ?? key.bits.map { "\($0) bits" }].compactMap { $0 }.joined(separator: " ")
        }
        let ends = summary.notAfter.map { end in
            let days = end.seconds(since: now) / 86_400
            let date = end.rfc3339.map { String($0.prefix(10)) } ?? "beyond year 9999"
            return days >= 0 ? "ends \(date), in \(days) days" : "ended \(date), \(-days) days ago"
        }
        let facts = [key ?? "key unreadable", ends ?? "end unknown"].joined(separator: " · ")
        return [
            "  \(number)  \(summary.subject.map { $0.isEmpty ? "(empty subject)" : $0 } ?? "(subject unreadable)")",
            "     \(facts)", "     \(summary.spki?.pin ?? "public key unreadable")",
        ]
    }
}
