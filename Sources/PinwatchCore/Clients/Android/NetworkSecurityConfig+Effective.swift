extension NetworkSecurityConfig {
    /// The domain that decides for a host, and its `domain-config`.
    struct Match {
        let domain: Domain
        let entry: Int
    }

    /// A host as the platform looks it up: lower case, one trailing dot gone.
    static func lookedUp(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The exact domain, else the longest one that includes the host as a sub-domain, at any depth.
    func match(_ host: String) -> Match? {
        let name = Self.lookedUp(host)
        var best: Match?
        for (index, entry) in entries.enumerated() {
            for domain in entry.domains {
                if domain.name == name { return Match(domain: domain, entry: index) }
                guard domain.includesSubdomains, name.hasSuffix("." + domain.name) else { continue }
                if best.map({ $0.domain.name.utf8.count < domain.name.utf8.count }) ?? true {
                    best = Match(domain: domain, entry: index)
                }
            }
        }
        return best
    }

    /// The entry's own pin set, else that of the nearest `domain-config` around it.
    func pinSet(of index: Int) -> PinSet? { inherited(index, \.pinSet)?.value }

    /// Whether the entry's pin set is one that it inherits.
    func inheritsPins(_ index: Int) -> Bool { inherited(index, \.pinSet).map { $0.owner != index } ?? false }

    /// The anchors that hold for an entry, or for hosts without one, those that override pins in front, as the platform
    /// sorts them.
    ///
    /// - Parameters:
    ///   - targetSDK: Up to 23 the platform's own default trusts what users added.
    ///   - debuggable: Whether `debug-overrides` are added to the configuration that the anchors come from.
    func anchors(of index: Int?, targetSDK: Int, debuggable: Bool) -> [Anchors] {
        let own = index.flatMap { inherited($0, \.anchors)?.value } ?? base?.anchors
        let mark = Mark(line: 1, column: 1)
        var anchors = own ?? [Anchors(source: .system, overridesPins: false, mark: mark)]
        if own == nil, targetSDK <= 23 { anchors.append(Anchors(source: .user, overridesPins: false, mark: mark)) }
        if debuggable, case .read(let overrides) = debug { anchors += overrides.anchors ?? [] }
        return anchors.filter(\.overridesPins) + anchors.filter { !$0.overridesPins }
    }

    /// A domain that a reader may take for covering a host that has no pins, and why it does not.
    func nearMiss(_ host: String) -> String? {
        let name = Self.lookedUp(host)
        let matched = match(host)
        for (index, entry) in entries.enumerated() where pinSet(of: index).map({ !$0.pins.isEmpty }) ?? false {
            for domain in entry.domains {
                if let why = Self.nearness(of: domain, to: name, matched: matched) { return why }
            }
        }
        return nil
    }

    private static func nearness(of domain: Domain, to name: String, matched: Match?) -> String? {
        let covers = name.hasSuffix("." + domain.name)
        if let matched, covers, domain.includesSubdomains, matched.domain.name != domain.name {
            return "<domain> \(matched.domain.name) goes before \(domain.name) and takes none of its pins"
        }
        guard matched == nil else { return nil }
        if domain.name.hasPrefix("*.") {
            let suffix = domain.name.dropFirst(2)
            guard name == suffix || name.hasSuffix("." + suffix) else { return nil }
            return "the * of <domain> \(domain.name) is plain text here"
        }
        if covers { return "<domain> \(domain.name) lacks includeSubdomains=\"true\"" }
        if domain.name == name + "." { return "<domain> \(domain.name) ends in a dot, so it never matches" }
        return nil
    }

    private func inherited<Value>(_ index: Int, _ value: (Entry) -> Value?) -> (owner: Int, value: Value)? {
        var next: Int? = index
        while let current = next {
            if let found = value(entries[current]) { return (current, found) }
            next = entries[current].parent
        }
        return nil
    }
}

extension NetworkSecurityConfig.Anchors {
    /// Whether a path ends in one of these. A given store stands for the system's, and for a resource too: who gives one
    /// to see a private chain judged means that chain's anchor.
    func contain(anchorOf path: Path) -> Bool {
        switch (source, path.source) {
        case (.system, .system), (.system, .given), (.user, .user), (.resource, .given): true
        case (.system, .user), (.user, .system), (.user, .given), (.resource, .system), (.resource, .user): false
        }
    }

    var isResource: Bool {
        switch source {
        case .resource: true
        case .system, .user: false
        }
    }
}
