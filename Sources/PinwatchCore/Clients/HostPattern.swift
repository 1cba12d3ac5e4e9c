/// Host entries of policies: a name in ASCII, an address, or `*.` and a name.
enum HostPattern {
    /// Lower case, one trailing dot gone, an address in its canonical text.
    static func normalised(_ host: String) -> String {
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        return IPAddress(bare)?.description ?? name
    }

    /// What follows the leftmost label; `nil` for an address and for a single label.
    static func parent(of name: String) -> String? {
        guard IPAddress(name) == nil, let dot = name.firstIndex(of: ".") else { return nil }
        return String(name[name.index(after: dot)...])
    }

    /// The patterns that cover a host in the order in which they are looked up: its own name, then the wildcard above it.
    static func covering(_ host: String) -> [String] {
        let name = normalised(host)
        return [name] + (parent(of: name).map { ["*." + $0] } ?? [])
    }

    /// An entry's name without the stars before it: whatever the client's rules, an entry is about this name and those
    /// below it.
    static func base(of pattern: String) -> String {
        let name = normalised(pattern)
        guard name.hasPrefix("*.") || name.hasPrefix("**.") else { return name }
        return String(name.drop { $0 == "*" }.dropFirst())
    }

    /// Whether an entry may be about a host, by any client's rules.
    ///
    /// - Parameter name: The host, normalised.
    static func mayCover(_ pattern: String, _ name: String) -> Bool {
        let base = base(of: pattern)
        return name == base || name.hasSuffix("." + base)
    }

    /// Reads an entry's host, reporting what cannot be one.
    static func read(_ node: Node, reader: inout NodeReader) -> String? {
        guard let text = reader.string(node, "host") else { return nil }
        let name = normalised(text)
        if IPAddress(name) != nil { return name }
        let labels = (name.hasPrefix("*.") ? name.dropFirst(2) : name[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 255, !labels.isEmpty, labels.allSatisfy(isLabel) else {
            reader.report(
                node.mark,
                "host must be a name such as api.example.com (A-labels for international ones), *.example.com or an "
                    + "address, without scheme, port or path, not \(node.shown)")
            return nil
        }
        return name
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
