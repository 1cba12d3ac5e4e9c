extension ReleaseVerdict {
    /// The object that `check --json` prints for one pin set and chain.
    ///
    /// - Parameter host: As the app spells it.
    package func json(for identity: PinSetIdentity, host: String) -> JSON {
        .object(members(for: identity, host: host))
    }

    /// The members of that object.
    func members(for identity: PinSetIdentity, host: String) -> [(String, JSON)] {
        let single = layers.count == 1
        var members: [(String, JSON)] = [
            ("client", single ? .text(layers.first?.client.rawValue) : .null), ("release", .string(identity.release)),
            ("host", .string(host)),
        ]
        members += deciding.answer
        members += [("notes", .strings(single ? deciding.notes : allNotes))]
        members += [("paths", .array(deciding.paths.map(\.json))), ("matched", deciding.matched?.json ?? .null)]
        if !single {
            members.append(("layers", .array(layers.map(\.json))))
        }
        return members
    }

    /// Layers have no notes of their own in the contract's shape, so the release's name the client.
    private var allNotes: [String] {
        layers.flatMap { layer in layer.verdict.notes.map { "\(layer.client.rawValue): \($0)" } }
    }
}

extension ReleaseVerdict.Layer {
    /// One of the `layers` of a release that holds several.
    package var json: JSON {
        .object(
            [("client", .string(client.rawValue))] + verdict.answer + [("matched", verdict.matched?.json ?? .null)])
    }
}

extension Verdict {
    /// `verdict`, `by` (only where `unpinned`), `code`, `reason`.
    fileprivate var answer: [(String, JSON)] {
        [("verdict", .string(kind.rawValue))] + (by.map { [("by", .string($0.rawValue))] } ?? [])
            + [("code", .string(code)), ("reason", .string(reason))]
    }
}

extension Verdict.PathVerdict {
    /// One of the `paths`, its anchor by subject and fingerprint.
    package var json: JSON {
        .object([
            ("anchor", .object([("subject", .text(anchorSubject)), ("sha256", .string(anchor.hex))])),
            ("verdict", .string(kind.rawValue)),
        ])
    }
}

extension PinMatch {
    /// The contract's `matched`; without a hash where the certificate is still to be issued.
    package var json: JSON {
        .object([
            ("pin", .string(pin)), ("position", .string(position)),
            ("sha256", SyntheticCertificate.isSynthetic(certificate) ? .null : .string(certificate.hex)),
        ])
    }
}
