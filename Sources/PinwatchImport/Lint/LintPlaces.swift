internal import PinwatchCore

/// Finds where in its file a trap of a policy stands: in the native tree, whose marks are places of the original; else
/// in the XML that the policy was read from; else in the text.
struct LintPlaces {
    private let policy: Node?
    private let isXML: Bool
    /// The entry of each host: the member that has it for its key, or the mapping that names it.
    private let entries: [String: (node: Node, mark: Mark)]
    /// Where each word of the text stands first, of those whose places the tree does not have.
    private let words: [String: Mark]

    init(_ imported: Imported, policy: Node?) {
        self.policy = policy
        var entries: [String: (node: Node, mark: Mark)] = [:]
        if let policy { Self.collect(policy, into: &entries) }
        self.entries = entries
        isXML = imported.format == .networkSecurityConfig
        let hasTree = !isXML && imported.format != .native
        let original = imported.originals.count == 1 && !hasTree ? imported.originals.first : nil
        words = original.flatMap { String(validating: $0.bytes, as: UTF8.self) }.map { Self.words(of: $0) } ?? [:]
    }

    func mark(of trap: PolicyTrap) -> Mark? {
        if isXML, let mark = trap.mark { return mark }
        if let policy, !isXML, let mark = mark(of: trap, in: policy) { return mark }
        let wanted = (trap.pin.map { [Self.raw($0.text)] } ?? []) + (trap.host.map { [$0] } ?? [])
        return wanted.lazy.compactMap { words[$0] }.first ?? policy?.mark
    }

    private func mark(of trap: PolicyTrap, in policy: Node) -> Mark? {
        let keys = Self.keys(of: trap.rule)
        guard let host = trap.host, let entry = entries[host] else {
            return keys.isEmpty ? nil : Self.first(keys, in: policy)
        }
        if let pin = trap.pin, let mark = Self.scalar(Self.raw(pin.text), in: entry.node) { return mark }
        return Self.first(keys, in: entry.node) ?? entry.mark
    }

    /// The native keys that a rule is about.
    private static func keys(of rule: LintRule) -> [String] {
        switch rule {
        case .notBoolean, .oneLabelOnly: ["includes_subdomains"]
        case .reportOnly: ["enforce_pinning", "report_only"]
        case .validationOff:
            [
                "perform_default_validation", "evaluates_trust", "allow_invalid", "validate_certificate_chain",
                "accepted_issuers",
            ]
        case .hostNotValidated: ["validate_host", "validates_domain_name"]
        case .selfSignedAccepted: ["accept_self_signed"]
        case .unlistedHosts: ["all_hosts_must_be_evaluated"]
        case .emptyAccepted: ["on_empty"]
        case .pinsExpired, .pinsExpireSoon: ["expiration_date", "expires"]
        case .pinList: ["pinnedpubkey"]
        case .trustDisabled, .comparesNoPin: ["evaluator", "mode"]
        case .misplacedHash: ["ca_identities", "leaf_identities"]
        case .configError, .noPins, .tooFewPins, .noBackup, .oneChain, .leafKeyOnly, .duplicatePin, .leafCertificatePin,
            .pinnedCertificateExpired, .placeholderPin, .pinNeverMatches, .pemCertificate, .wrongHash, .publicSuffix,
            .hostCase, .hostIsURL, .hostTrailingDot, .wildcardNeverMatches, .wildcardWithoutApex, .trailingDotUnpinned,
            .siblingHidesPins, .overridePins, .debugOverrides, .cleartext, .systemTooOld, .bothLists, .lastDomainOnly,
            .idleSetting, .platformsDiffer, .tooManyHosts, .sessionUnpinned, .trustByName, .failureIgnored,
            .pinningSwitch, .credentialUnevaluated, .arbitraryLoads, .fixedKeyHeader, .fixedKeyType, .unknownName,
            .shadowedName, .reportHostPinned, .pinnerUnused, .unresolved:
            []
        }
    }

    /// The first of each name counts.
    private static func collect(_ node: Node, into entries: inout [String: (node: Node, mark: Mark)]) {
        for member in node.members {
            if entries[member.key] == nil { entries[member.key] = (member.value, member.keyMark) }
            collect(member.value, into: &entries)
        }
        for item in node.items {
            let name = ["host", "pattern", "name"].lazy.compactMap { item[$0] }.first
            if let name, let host = name.scalar, entries[host] == nil { entries[host] = (item, name.mark) }
            collect(item, into: &entries)
        }
    }

    private static func first(_ keys: [String], in node: Node) -> Mark? {
        for member in node.members {
            if keys.contains(member.key) { return member.value.mark }
            if let found = first(keys, in: member.value) { return found }
        }
        return node.items.lazy.compactMap { first(keys, in: $0) }.first
    }

    private static func scalar(_ text: String, in node: Node) -> Mark? {
        switch node.value {
        case .scalar(let scalar, _): raw(scalar) == text ? node.mark : nil
        case .sequence(let items): items.lazy.compactMap { scalar(text, in: $0) }.first
        case .mapping(let members): members.lazy.compactMap { scalar(text, in: $0.value) }.first
        }
    }

    private static func raw(_ pin: String) -> String { pin.hasPrefix("sha256/") ? String(pin.dropFirst(7)) : pin }

    private static let separators = Set(" \t\r\n<>\"',=[]{}".unicodeScalars)

    /// Each also in lower case, as Android's platform looks hosts up.
    private static func words(of text: String) -> [String: Mark] {
        var words: [String: Mark] = [:]
        var (line, column, word, start, length) = (1, 1, String.UnicodeScalarView(), 1, 0)
        func end() {
            guard !word.isEmpty else { return }
            let mark = Mark(line: line, column: start)
            for spelled in [String(word), String(word).lowercased()] where words[spelled] == nil {
                words[spelled] = mark
            }
            word.removeAll()
            length = 0
        }
        for scalar in text.unicodeScalars {
            // The sign that ends an attribute's name also fills up a pin's base64.
            if separators.contains(scalar), !(scalar == "=" && length > 40) {
                end()
            } else {
                if word.isEmpty { start = column }
                word.append(scalar)
                length += 1
            }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        end()
        return words
    }
}
