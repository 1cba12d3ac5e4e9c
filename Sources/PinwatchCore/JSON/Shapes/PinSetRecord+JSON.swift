extension PinSetDefinition {
    /// Hosts of each pin set in a list, and pins of each host there.
    private static let (listedHosts, listedPins) = (20, 10)

    /// What a pin file says, as people read it: of a stored pin set and of a previewed one.
    ///
    /// - Parameter isListed: Whether it is one of many, so that only its first hosts and their first pins are told.
    package func members(isListed: Bool = false) -> [(String, JSON)] {
        let hosts = layers.flatMap(\.policy.hosts)
        let shown = isListed ? hosts.prefix(Self.listedHosts) : hosts[...]
        let hostList = shown.map { $0.json(pins: isListed ? Self.listedPins : nil) }
        return [
            ("app", .string(identity.app)), ("release", .string(identity.release)),
            ("variant", .string(identity.variant.rawValue)), ("stack", .string(identity.stack)),
            ("share", .share(share)),
            ("clients", .strings(layers.map(\.client.rawValue))), ("trust_store", .text(trustStore)),
            ("managed_by", .string(managedBy.rawValue)), ("origin", .string(origin)),
            ("hosts", .array(hostList)), ("host_count", .integer(Int64(hosts.count))),
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
    /// `{pattern, match, pins, pin_count, expires}`.
    ///
    /// - Parameter most: How many of the pins are told; `nil` for all.
    package func json(pins most: Int? = nil) -> JSON {
        let shown = most.map { pins.prefix($0) } ?? pins[...]
        return .object([
            ("pattern", .string(pattern)), ("match", .string(match)), ("pins", .strings(shown.map(\.text))),
            ("pin_count", .integer(Int64(pins.count))), ("expires", .time(expires)),
        ])
    }
}

extension PinSetRecord {
    /// The contract's `pin set` as lists show it.
    package var json: JSON { .object(members(isListed: true)) }

    /// The same whole, with its text, its targets and what is wrong with it.
    package func json(targets: [PinSetTarget], lint: [LintProblem]?) -> JSON {
        .object(
            members(isListed: false) + [
                ("source", .string(pinSet.definition.source)), ("targets", .array(targets.map(\.json))),
                ("problems", pinSet.definition.problems),
                ("lint", lint.map { .array($0.prefix(LintProblem.shown).map(\.json)) } ?? .null),
                ("has_originals", .bool(hasOriginals)),
            ])
    }

    private func members(isListed: Bool) -> [(String, JSON)] {
        [("id", .string(pinSet.id.text))] + pinSet.definition.members(isListed: isListed) + [
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
