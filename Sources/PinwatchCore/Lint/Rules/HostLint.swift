/// Host entries that cover less than they seem to, or more: asked of the client's own look-up, so that no rule here
/// knows any client's.
enum HostLint {
    static func traps(_ layer: LintedLayer) -> [PolicyTrap] {
        // Where nothing can be looked up, or hosts do not count, there is nothing to ask.
        guard layer.error == nil, layer.policy.namesHosts else { return [] }
        var seen: Set<String> = []
        return layer.names.filter { seen.insert($0.pattern).inserted }.flatMap { name, isPinned in
            name.contains("*")
                ? wildcard(name, isPinned, layer) : spelling(name, layer) + suffix(name, layer)
        }
    }

    /// Whether a client that looks a host up comes to the entry.
    private static func isReached(_ pattern: String, by host: String, _ layer: LintedLayer) -> Bool {
        layer.policy.patterns(covering: host).contains(pattern)
    }

    private static func fate(of host: String, _ layer: LintedLayer) -> String {
        if layer.pins(host) { return "held against another entry's pins" }
        return layer.policy.refusesUnlistedHosts ? "refused" : "not pinned"
    }

    private static func wildcard(_ pattern: String, _ isPinned: Bool, _ layer: LintedLayer) -> [PolicyTrap] {
        let base = base(of: pattern)
        let example = pattern.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.contains("*") ? "x" : String($0) }.joined(separator: ".").lowercased()
        guard isReached(pattern, by: example, layer) || isReached(pattern, by: "x." + base, layer) else {
            let fate = fate(of: example, layer)
            return [
                PolicyTrap(
                    .wildcardNeverMatches, .error, host: pattern,
                    message:
                        "\(pattern) matches no host: this client takes the star for a letter, so what it is meant for "
                        + "is \(fate)\(fate == "not pinned" ? ", without a word" : "").",
                    advice: "Write each name out, or use what this client has for sub-domains.")
            ]
        }
        guard isPinned else { return [] }
        var traps = pattern.dropFirst(2).contains("*") ? [] : suffix(base, layer, written: pattern)
        if pattern.hasPrefix("*."), !pattern.dropFirst(2).contains("*"), !layer.pins(base), !isSuffix(base, layer) {
            traps.append(
                PolicyTrap(
                    .wildcardWithoutApex, .warning, host: pattern,
                    message: "\(pattern) does not cover \(base) itself, which has no pins.",
                    advice: "Add an entry for \(base), if the app connects to it."))
        }
        return traps
    }

    /// The host of a URL, or of a host with a port or path, that stands where a host should; `nil` for anything else.
    private static func host(ofURL text: String) -> String? {
        guard IPAddress(text) == nil else { return nil }
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, !rest.hasPrefix("[") { rest = parts[0] }
        let host = rest.trimmingPrefix { $0 == " " }.prefix { $0 != " " }
        return host.isEmpty || host == text ? nil : String(host)
    }

    private static func spelling(_ host: String, _ layer: LintedLayer) -> [PolicyTrap] {
        var traps: [PolicyTrap] = []
        if let bare = HostLint.host(ofURL: host), !isReached(host, by: bare, layer) {
            return [
                PolicyTrap(
                    .hostIsURL, .error, host: host,
                    message: "\(host) is more than a host, so it matches none: \(bare) is \(fate(of: bare, layer)).",
                    advice: "Write the host alone: \(bare).")
            ]
        }
        if host.hasSuffix(".") {
            let bare = String(host.dropLast())
            let isLost = !isReached(host, by: bare, layer)
            traps.append(
                PolicyTrap(
                    .hostTrailingDot, isLost ? .error : .note, host: host,
                    message: isLost
                        ? "\(host) ends in a dot, which hosts of requests do not: \(bare) is \(fate(of: bare, layer))."
                        : "\(host) ends in a dot, which means nothing to this client.",
                    advice: "Write it without the dot."))
        }
        if host != host.lowercased() {
            let lower = host.lowercased()
            let isLost = !isReached(host, by: lower, layer)
            traps.append(
                PolicyTrap(
                    .hostCase, isLost ? .error : .note, host: host,
                    message: isLost
                        ? "\(host) has upper-case letters, and spelling counts: \(lower) is \(fate(of: lower, layer))."
                        : "\(host) has upper-case letters, which this client does not mind; others do.",
                    advice: "Write \(lower)."))
        }
        return traps
    }

    /// Only where sub-domains are covered: a suffix may be a host of its own.
    private static func suffix(_ host: String, _ layer: LintedLayer, written: String? = nil) -> [PolicyTrap] {
        let name = HostPattern.normalised(host)
        guard isSuffix(name, layer), layer.pins("pinwatch-asks." + name) else { return [] }
        return [
            PolicyTrap(
                .publicSuffix, .error, host: written ?? host,
                message:
                    "\(written ?? host) covers all of the public suffix \(name): hosts of other people are held "
                    + "against "
                    + "these pins.",
                advice: "Name your own domains below \(name).")
        ]
    }

    private static func isSuffix(_ host: String, _ layer: LintedLayer) -> Bool {
        layer.facts.suffixes?.suffixLength(of: host) == host.utf8.count
    }

    /// The name that a pattern is about, stars and a trailing dot gone.
    static func base(of pattern: String) -> String {
        var name = HostPattern.normalised(pattern)[...]
        while name.hasPrefix("*") { name = name.drop { $0 == "*" }.drop { $0 == "." } }
        return String(name)
    }
}
