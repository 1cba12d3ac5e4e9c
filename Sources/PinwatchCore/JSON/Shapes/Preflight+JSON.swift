extension Preflight {
    /// The answer as `preflight --json` and the API give it.
    ///
    /// - Parameter leaf: The reading of the candidate's first certificate, where it has one.
    package func json(of candidate: Candidate, leaf: CertificateSummary?) -> JSON {
        .object([
            ("host", .string(host)), ("go", .flag(go)), ("sentence", .string(sentence)),
            ("candidate", candidate.json(leaf: leaf)), ("assumed", .strings(assumed)),
            ("users", .array(users.map(\.json))), ("items", .array(rows.map { $0.json(host: host) })),
        ])
    }
}

extension Candidate {
    /// - Parameter leaf: The reading of the first certificate, where there is one.
    fileprivate func json(leaf: CertificateSummary?) -> JSON {
        switch self {
        case .chain(let certificates):
            .object([
                ("kind", .string(certificates.count > 1 ? "chain" : PinnableKey.Kind.certificate.rawValue)),
                ("subject", .text(leaf?.subject)), ("spki", .text(leaf?.spki?.pin)),
                ("sha256", .text(certificates.first?.fingerprint.hex)), ("not_before", .time(leaf?.notBefore)),
                ("not_after", .time(leaf?.notAfter)), ("certificates", .integer(Int64(certificates.count))),
            ])
        case .key(let key):
            .object([
                ("kind", .string(key.kind.rawValue)), ("subject", .text(key.subject)), ("spki", .string(key.spki.pin)),
                ("sha256", .null), ("not_before", .null), ("not_after", .null), ("certificates", .integer(0)),
            ])
        }
    }
}

extension Preflight.Users {
    /// One of `users`.
    fileprivate var json: JSON {
        .object([
            ("app", .string(app)), ("os", .text(system?.rawValue)), ("rejected", .share(rejected)),
            ("unknown", .share(unknown)), ("sentence", .string(sentence)),
        ])
    }
}

extension Preflight.Row {
    /// One of `items`: the release, then what `check` prints of it.
    fileprivate func json(host: String) -> JSON {
        let identity = release.definition.identity
        let members: [(String, JSON)] = [
            ("pin_set_id", .text(release.id?.text)), ("app", .string(identity.app)),
            ("release", .string(identity.release)), ("variant", .string(identity.variant.rawValue)),
            ("stack", .string(identity.stack)), ("share", .share(release.definition.share)),
            ("os", .text(release.system?.rawValue)),
        ]
        let checked = verdict.members(for: identity, host: host).filter { $0.0 != "release" }
        return .object(members + checked + [("now", .text(now?.rawValue))])
    }
}
