internal import PinwatchCore

/// TrustKit's configuration (pin-semantics 2.1) and the native policy `trustkit-ios`.
enum TrustKitConfiguration {
    /// What the constant `kTSKExcludeSubdomainFromParentPolicy` stands for, its missing T included.
    static let excludeKey = "kSKExcludeSubdomainFromParentPolicy"
    /// What the documentation lists, and no code of TrustKit's reads.
    static let documentedExcludeKey = "TSKExcludeSubdomainFromParentPolicy"

    private static let keys = [
        "TSKIncludeSubdomains": "include_subdomains", "TSKEnforcePinning": "enforce_pinning",
        "TSKExpirationDate": "expiration_date", excludeKey: "exclude_subdomain_from_parent_policy",
    ]
    /// Keys that change no verdict, and why.
    private static let quiet = [
        "TSKReportUris": "where reports go changes no verdict",
        "TSKPublicKeyAlgorithms": "TrustKit ignores algorithms since 1.6",
        "kTSKAdditionalTrustAnchors": "TrustKit no longer reads additional anchors",
        "TSKAdditionalTrustAnchors": "TrustKit no longer reads additional anchors",
    ]
    /// Whether the vendor gets reports as well, which is nobody's question here.
    private static let vendorKey = "TSKDisableDefaultReportUri"

    /// - Parameter configuration: What stands under `TSKConfiguration`, with the keys' own strings.
    static func policy(_ configuration: Node, _ draft: inout Draft) -> Node {
        guard let list = configuration["TSKPinnedDomains"], case .mapping(let entries) = list.value else {
            draft.remark(configuration.mark, "there is no dictionary TSKPinnedDomains, without which TrustKit throws")
            return .mapping([("domains", .mapping([Node.Member](), configuration.mark))], configuration.mark)
        }
        let domains = entries.map { entry in
            Node.Member(key: entry.key, keyMark: entry.keyMark, value: domain(entry, &draft))
        }
        return .mapping([("domains", .mapping(domains, list.mark))], list.mark)
    }

    private static func domain(_ entry: Node.Member, _ draft: inout Draft) -> Node {
        var members: [(String, Node?)] = []
        for key in entry.value.members {
            if key.key == "TSKPublicKeyHashes" {
                let pins = key.value.items.map { Node.rawPin($0.scalar ?? "", $0.mark) }
                members.append(("public_key_hashes", .list(pins, key.value.mark)))
            } else if let name = keys[key.key] {
                members.append((name, key.value))
            } else if let why = quiet[key.key] {
                draft.remark(key.keyMark, "\(key.key) is left out: \(why)")
            } else if key.key == documentedExcludeKey {
                draft.remark(
                    key.keyMark,
                    "TrustKit does not know the key \(documentedExcludeKey) that its documentation lists: the entry counts "
                        + "as one without pins, and the app throws at its start. In code the constant "
                        + "kTSKExcludeSubdomainFromParentPolicy works; in a property list only \(excludeKey) does")
            } else if key.key != vendorKey {
                draft.remark(key.keyMark, "TrustKit does not know the key \"\(key.key)\" and passes over it")
            }
        }
        let isExclusion = members.contains { $0.0 == "exclude_subdomain_from_parent_policy" }
        if !isExclusion, !members.contains(where: { $0.0 == "public_key_hashes" }) {
            members.append(("public_key_hashes", .list([], entry.value.mark)))
        }
        return .mapping(members, entry.value.mark)
    }

    private static let exportNotes = [
        "Two different pins are needed while TSKEnforcePinning is on; one of them must be in no chain yet (a backup).",
        "TSKExpirationDate ends pinning silently at 00:00 UTC at the start of that day.",
    ]

    /// What stands under `TSKConfiguration`.
    static func dictionary(_ policy: Node) -> Node {
        let names = Dictionary(uniqueKeysWithValues: keys.map { ($0.value, $0.key) })
        let domains = (policy["domains"]?.members ?? []).map { domain in
            var members: [(String, Node?)] = domain.value.members.compactMap { member in
                if member.key == "public_key_hashes" { return ("TSKPublicKeyHashes", hashes(member.value)) }
                return names[member.key].map { ($0, member.value) }
            }
            if domain.value["exclude_subdomain_from_parent_policy"] == nil {
                members.append((vendorKey, .flag(true, .start)))
            }
            return Node.Member(key: domain.key, keyMark: .start, value: .mapping(members, .start))
        }
        return .mapping(
            [
                ("TSKSwizzleNetworkDelegates", .flag(false, .start)),
                ("TSKPinnedDomains", .mapping(domains, .start)),
            ], .start)
    }

    static func plistNotes(_ policy: Node) -> [String] {
        guard excludes(policy) else { return exportNotes }
        return exportNotes + [
            "An exclusion is spelled \(excludeKey) in a property list; the documented \(documentedExcludeKey) makes the app "
                + "throw. The constants of the code version have no such trap."
        ]
    }

    private static func hashes(_ pins: Node) -> Node {
        .list(pins.items.map { .text(PinNotation.raw($0), .start) }, .start)
    }

    private static func excludes(_ policy: Node) -> Bool {
        (policy["domains"]?.members ?? []).contains { $0.value["exclude_subdomain_from_parent_policy"]?.flag == true }
    }

    /// The configuration in a language's own notation.
    static func source(_ policy: Node, notes: [String], in language: SourceLiteral) -> String {
        let constants = [
            "include_subdomains": "kTSKIncludeSubdomains", "enforce_pinning": "kTSKEnforcePinning",
            "expiration_date": "kTSKExpirationDate", "public_key_hashes": "kTSKPublicKeyHashes",
            "exclude_subdomain_from_parent_policy": "kTSKExcludeSubdomainFromParentPolicy",
        ]
        let domains = (policy["domains"]?.members ?? []).map { domain in
            var pairs = domain.value.members.compactMap { member -> (String, String)? in
                guard let constant = constants[member.key] else { return nil }
                let value = member.key == "public_key_hashes" ? hashes(member.value) : member.value
                return (constant, language.literal(value))
            }
            if domain.value["exclude_subdomain_from_parent_policy"] == nil {
                pairs.append(("kTSKDisableDefaultReportUri", language.literal(.flag(true, .start))))
            }
            return (language.literal(.text(domain.key, .start)), language.dictionary(pairs, indent: 8))
        }
        let configuration = language.dictionary(
            [
                ("kTSKSwizzleNetworkDelegates", language.literal(.flag(false, .start))),
                ("kTSKPinnedDomains", language.dictionary(domains, indent: 4)),
            ], indent: 0)
        let comments = (notes + exportNotes).map { "// \(SourceLiteral.comment($0))\n" }.joined()
        return comments + language.trustKitCall(configuration)
    }
}
