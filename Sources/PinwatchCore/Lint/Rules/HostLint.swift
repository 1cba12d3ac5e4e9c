/// Host entries that cover less than they seem to, or more: asked of the client's own look-up, so that no rule here
/// knows any client's.
enum HostLint {
    static func traps(_ layer: LintedLayer) -> [PolicyTrap] {
        // Where nothing can be looked up, or hosts do not count, there is nothing to ask.
        guard layer.error == nil, layer.policy.namesHosts else { return [] }
        var seen: Set<String> = []
        return layer.entries.filter { seen.insert($0.pattern).inserted }.flatMap { entry in
            let host = entry.pattern
            return host.contains("*") ? wildcard(host, layer) : spelling(host, layer) + suffix(host, layer)
        }
    }

    private static func wildcard(_ pattern: String, _ layer: LintedLayer) -> [PolicyTrap] {
        let base = base(of: pattern)
        let example = pattern.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.contains("*") ? "x" : String($0) }.joined(separator: ".").lowercased()
        guard layer.pins(example) || layer.pins("x." + base) else {
            return [
                PolicyTrap(
                    .wildcardNeverMatches, .error, host: pattern,
                    message:
                        "\(pattern) matches no host: this client takes the star for a letter, so what it is meant for "
                        + (layer.policy.refusesUnlistedHosts ? "is refused." : "is not pinned, without a word."),
                    advice: "Write each name out, or use what this client has for sub-domains.")
            ]
        }
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
        let fate = layer.policy.refusesUnlistedHosts ? "refused" : "not pinned"
        if let bare = HostLint.host(ofURL: host), !layer.pins(bare) {
            return [
                PolicyTrap(
                    .hostIsURL, .error, host: host,
                    message: "\(host) is more than a host, so it matches none: \(bare) is \(fate).",
                    advice: "Write the host alone: \(bare).")
            ]
        }
        if host.hasSuffix(".") {
            let isLost = !layer.pins(String(host.dropLast()))
            traps.append(
                PolicyTrap(
                    .hostTrailingDot, isLost ? .error : .note, host: host,
                    message: isLost
                        ? "\(host) ends in a dot, which hosts of requests do not: without it the host is \(fate)."
                        : "\(host) ends in a dot, which means nothing to this client.",
                    advice: "Write it without the dot."))
        }
        if host != host.lowercased() {
            let isLost = !layer.pins(host.lowercased())
            traps.append(
                PolicyTrap(
                    .hostCase, isLost ? .error : .note, host: host,
                    message: isLost
                        ? "\(host) has upper-case letters, and spelling counts: \(host.lowercased()) is \(fate)."
                        : "\(host) has upper-case letters, which this client does not mind; others do.",
                    advice: "Write \(host.lowercased())."))
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
