internal import PinwatchCore

/// Apple's `NSPinnedDomains` and the native policy `apple-pinned-domains`.
enum ApplePinnedDomains {
    private static let hashKey = "SPKI-SHA256-BASE64"

    /// What Apple's code would read stays as written: a number for a flag, an entry without lists.
    static func policy(_ dictionary: Node, _ draft: inout Draft) -> Node {
        guard case .mapping(let entries) = dictionary.value else {
            draft.remark(dictionary.mark, "NSPinnedDomains must be a dictionary, not \(dictionary.kindWord)")
            return .mapping([("domains", .mapping([Node.Member](), dictionary.mark))], dictionary.mark)
        }
        var domains: [Node.Member] = []
        for entry in entries {
            guard case .mapping(let keys) = entry.value.value else {
                draft.remark(entry.keyMark, "\"\(entry.key)\" has no dictionary, so nothing is pinned for it")
                continue
            }
            var members: [(String, Node?)] = []
            for key in keys {
                switch key.key {
                case "NSIncludesSubdomains": members.append(("includes_subdomains", key.value))
                case "NSPinnedLeafIdentities": members.append(("leaf_identities", identities(key, &draft)))
                case "NSPinnedCAIdentities": members.append(("ca_identities", identities(key, &draft)))
                default: draft.remark(key.keyMark, "\"\(key.key)\" of \(entry.key) is no key of NSPinnedDomains")
                }
            }
            domains.append(
                Node.Member(key: entry.key, keyMark: entry.keyMark, value: .mapping(members, entry.value.mark)))
        }
        return .mapping([("domains", .mapping(domains, dictionary.mark))], dictionary.mark)
    }

    /// Identities of another form are skipped, as Apple's code does; the list stays, and an empty one rejects.
    private static func identities(_ list: Node.Member, _ draft: inout Draft) -> Node {
        guard case .sequence(let items) = list.value.value else {
            draft.remark(list.value.mark, "\(list.key) must be an array, not \(list.value.kindWord)")
            return .list([], list.value.mark)
        }
        var pins: [Node] = []
        for item in items {
            if let hash = item[hashKey], let text = hash.scalar {
                pins.append(.rawPin(text, hash.mark))
            } else {
                draft.remark(item.mark, "an identity of \(list.key) without \(hashKey) is skipped, as iOS does")
            }
        }
        return .list(pins, list.value.mark)
    }

    static let exportNotes = [
        "Leaf keys belong into NSPinnedLeafIdentities, keys of issuers into NSPinnedCAIdentities; with both lists, both must "
            + "match.",
        "NSIncludesSubdomains covers exactly one more label. Nothing is pinned below iOS 14 and macOS 11.",
        "An empty list rejects every connection; there is no expiry, so keep a backup pin.",
    ]

    /// What stands under `NSAppTransportSecurity`.
    static func dictionary(_ policy: Node) -> Node {
        let domains = (policy["domains"]?.members ?? []).map { domain in
            Node.Member(key: domain.key, keyMark: .start, value: entry(domain.value))
        }
        return .mapping([("NSPinnedDomains", .mapping(domains, .start))], .start)
    }

    private static func entry(_ entry: Node) -> Node {
        let lists = ["leaf_identities": "NSPinnedLeafIdentities", "ca_identities": "NSPinnedCAIdentities"]
        let members: [(String, Node?)] = entry.members.compactMap { member in
            if member.key == "includes_subdomains" { return ("NSIncludesSubdomains", member.value) }
            guard let name = lists[member.key] else { return nil }
            let pins = member.value.items.map { pin in
                Node.mapping([(hashKey, .text(PinNotation.raw(pin), pin.mark))], pin.mark)
            }
            return (name, .list(pins, member.value.mark))
        }
        return .mapping(members, entry.mark)
    }
}
