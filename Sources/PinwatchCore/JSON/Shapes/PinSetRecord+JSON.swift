extension PinSetDefinition {
    /// What a pin file says, as people read it: of a stored pin set and of a previewed one.
    package var members: [(String, JSON)] {
        [
            ("app", .string(identity.app)), ("release", .string(identity.release)),
            ("variant", .string(identity.variant.rawValue)), ("stack", .string(identity.stack)),
            ("share", .share(share)),
            ("clients", .strings(layers.map(\.client.rawValue))), ("trust_store", .text(trustStore)),
            ("managed_by", .string(managedBy.rawValue)), ("origin", .string(origin)),
            ("hosts", .array(layers.flatMap(\.policy.hosts).map(\.json))),
        ]
    }

    /// Why clients cannot load their policies: `{client, code, reason}` of each such layer.
    package var problems: JSON {
        .array(
            layers.compactMap { layer in
                layer.policy.configurationError.map { error in
                    .object([
                        ("client", .string(layer.client.rawValue)), ("code", .string(error.code)),
                        ("reason", .string(error.reason)),
                    ])
                }
            })
    }
}

extension PinnedHost {
    /// `{pattern, match, pins, expires}`.
    package var json: JSON {
        .object([
            ("pattern", .string(pattern)), ("match", .string(match)), ("pins", .strings(pins.map(\.text))),
            ("expires", .time(expires)),
        ])
    }
}

extension PinSetRecord {
    /// The contract's `pin set` as lists show it.
    package var json: JSON { .object(members) }

    /// The same with its text, its targets and what is wrong with it.
    package func json(targets: [PinSetTarget]) -> JSON {
        .object(
            members + [
                ("source", .string(pinSet.definition.source)), ("targets", .array(targets.map(\.json))),
                ("problems", pinSet.definition.problems),
            ])
    }

    private var members: [(String, JSON)] {
        [("id", .string(pinSet.id.text))] + pinSet.definition.members + [
            ("revision", .integer(revision)), ("created_at", .time(createdAt)), ("updated_at", .time(updatedAt)),
            ("target_count", .integer(Int64(targetCount))), ("verdicts", verdictCounts),
        ]
    }

    /// `{accept, reject, unknown, other}`: `other` is what is neither let through by pins nor refused.
    private var verdictCounts: JSON {
        var counts: [String: Int64] = [:]
        for (kind, count) in verdicts { counts[kind.group, default: 0] += Int64(count) }
        return .object(["accept", "reject", "unknown", "other"].map { ($0, .integer(counts[$0] ?? 0)) })
    }
}

extension VerdictKind {
    fileprivate var group: String {
        switch self {
        case .accept, .acceptReport: "accept"
        case .rejectPin, .rejectChain: "reject"
        case .unknown: "unknown"
        case .unpinned, .configError, .notEvaluated, .dependsOnPath: "other"
        }
    }
}

extension PinSetTarget {
    /// `{id, label, verdict, code, reason, addresses}`.
    package var json: JSON {
        .object([
            ("id", .string(targetID.text)), ("label", .string(label)), ("verdict", .string(verdict.rawValue)),
            ("code", .string(code)), ("reason", .string(reason)), ("addresses", .integer(Int64(addresses))),
        ])
    }
}
