internal import PinwatchCore

/// Policies of the clients on Apple's systems.
extension PinPlan {
    mutating func trustKit() -> Node {
        let domains = entries.map { entry in
            Node.Member(
                key: entry.host, keyMark: .start,
                value: .mapping(
                    entry.effect == .exempt
                        ? [("exclude_subdomain_from_parent_policy", .flag(true, .start))] : trustKit(entry), .start))
        }
        return .mapping([("domains", .mapping(domains, .start))], .start)
    }

    private mutating func trustKit(_ entry: Entry) -> [(String, Node?)] {
        noteAnywhere(entry)
        if entry.scope == .oneLabelBelow || entry.scope == .withOneLabelBelow {
            note("TrustKit covers \(entry.host) and all names below it, which is more than was asked for")
        }
        let (pins, isReported) = (keys(entry), entry.effect == .reported)
        if Set(pins.map(PinNotation.raw)).count < (isReported ? 1 : 2) {
            note("TrustKit throws for \(entry.host): it wants two different pins; add a backup key's")
        }
        return [
            ("include_subdomains", .flag(entry.scope.includesBelow, .start)),
            ("enforce_pinning", isReported ? .flag(false, .start) : nil),
            ("expiration_date", entry.expires.map { .text($0, .start) }),
            ("public_key_hashes", .list(pins, .start)),
        ]
    }

    mutating func apple() -> Node {
        var domains: [Node.Member] = []
        for entry in entries {
            noteExpiry(entry)
            if entry.scope == .withAllBelow {
                note("NSIncludesSubdomains covers one label below \(entry.host), no more")
            }
            if entry.scope == .oneLabelBelow { note("NSPinnedDomains covers \(entry.host) itself too") }
            let isIssuers = entry.place == .issuers
            if entry.place == .anywhere {
                note(
                    "the pins of \(entry.host) stand under NSPinnedLeafIdentities; move those of issuers to "
                        + "NSPinnedCAIdentities, for a pin in the wrong list never matches")
            }
            let members: [(String, Node?)] = [
                ("includes_subdomains", .flag(entry.scope.includesBelow, .start)),
                (isIssuers ? "ca_identities" : "leaf_identities", .list(keys(entry), .start)),
            ]
            domains.append(Node.Member(key: entry.host, keyMark: .start, value: .mapping(members, .start)))
        }
        return .mapping([("domains", .mapping(merged(domains), .start))], .start)
    }

    /// The two lists of one host become one entry.
    private func merged(_ domains: [Node.Member]) -> [Node.Member] {
        domains.reduce(into: []) { kept, domain in
            guard let place = kept.firstIndex(where: { $0.key == domain.key }) else { return kept.append(domain) }
            var members = kept[place].value.members
            for member in domain.value.members {
                guard let same = members.firstIndex(where: { $0.key == member.key }) else {
                    members.append(member)
                    continue
                }
                guard case .sequence(let items) = members[same].value.value else { continue }
                members[same] = Node.Member(
                    key: member.key, keyMark: .start, value: .list(items + member.value.items, .start))
            }
            kept[place] = Node.Member(key: domain.key, keyMark: .start, value: .mapping(members, .start))
        }
    }

    mutating func alamofire() -> Node {
        let hosts = entries.map { entry -> Node.Member in
            noteExact(entry)
            noteExpiry(entry)
            noteAnywhere(entry)
            let isCertificate = !entry.pins.isEmpty && entry.pins.allSatisfy { $0.hasPrefix("cert-sha256:") }
            let pins = isCertificate ? entry.pins.map { .text($0, .start) } : keys(entry)
            return Node.Member(
                key: entry.host, keyMark: .start,
                value: .mapping(
                    [
                        ("evaluator", .word(isCertificate ? "pinned_certificates" : "public_keys", .start)),
                        ("pins", .list(pins, .start)),
                    ], .start))
        }
        return .mapping(
            [
                ("all_hosts_must_be_evaluated", source == nil || refusesUnlisted ? nil : .flag(false, .start)),
                ("evaluators", .mapping(hosts, .start)),
            ], .start)
    }

    mutating func alamofire4() -> Node {
        let hosts = entries.map { entry -> Node.Member in
            noteExact(entry)
            noteExpiry(entry)
            noteAnywhere(entry)
            return Node.Member(
                key: entry.host, keyMark: .start,
                value: .mapping(
                    [("policy", .word("pin_public_keys", .start)), ("pins", .list(keys(entry), .start))], .start))
        }
        return .mapping([("policies", .mapping(hosts, .start))], .start)
    }

    mutating func afNetworking() -> Node {
        if entries.count > 1 { note("AFNetworking holds every host against the same pins") }
        let pins = entries.flatMap { entry in
            noteExpiry(entry)
            noteAnywhere(entry)
            return keys(entry)
        }
        return .mapping([("mode", .word("public_key", .start)), ("pins", .list(pins, .start))], .start)
    }

    mutating func urlSession() -> Node {
        let hosts = entries.map { entry -> Node.Member in
            noteExact(entry)
            noteExpiry(entry)
            return Node.Member(
                key: entry.host, keyMark: .start,
                value: .mapping(
                    [
                        ("compare", .word("spki", .start)),
                        ("match", .word(entry.place == .leaf ? "leaf" : "any", .start)),
                        ("pins", .list(keys(entry), .start)),
                    ], .start))
        }
        return .mapping([("hosts", .mapping(hosts, .start))], .start)
    }
}
