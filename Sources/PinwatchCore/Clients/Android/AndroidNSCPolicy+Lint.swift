extension AndroidNSCPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        let age: [PolicyTrap]
        if let level = release.androidLevel, level < 24 {
            age = [
                PolicyTrap(
                    .systemTooOld, .warning,
                    message:
                        "The release supports API \(level), and the file is read from API 24 on: older systems pin "
                        + "nothing, "
                        + "without a word.",
                    advice: "Raise minSdkVersion to 24, or pin in code as well.")
            ]
        } else {
            age = []
        }
        return age + (file.config?.traps(isDebug: debuggable ?? (release.variant == .debug)) ?? [])
    }
}

extension NetworkSecurityConfig {
    /// What the platform reads otherwise than people do; every trap has its place in the XML.
    func traps(isDebug: Bool) -> [PolicyTrap] {
        let parents = pinnedParents
        let own = entries.enumerated().flatMap { index, entry in
            hidden(index, entry, parents) + emptied(entry) + cleartext(entry, index) + overrides(entry)
        }
        return own + (base.map { overrides($0) + cleartext($0) } ?? []) + (isDebug ? [] : debugOverrides)
    }

    /// Domains below one that pins its sub-domains, in entries of their own that have no pins.
    private func hidden(_ index: Int, _ entry: Entry, _ parents: Set<String>) -> [PolicyTrap] {
        guard pinSet(of: index) == nil else { return [] }
        return entry.domains.compactMap { domain in
            guard let parent = Self.parent(of: domain.name, among: parents) else { return nil }
            return PolicyTrap(
                .siblingHidesPins, .error, host: domain.name, mark: domain.mark,
                message:
                    "\(domain.name) has a domain-config of its own beside that of \(parent), whose pins for "
                    + "sub-domains it "
                    + "does not inherit: it is not pinned.",
                advice: "Put this domain-config inside that of \(parent), or repeat the pin-set.")
        }
    }

    /// Domains that pin their sub-domains.
    private var pinnedParents: Set<String> {
        var parents: Set<String> = []
        for (index, entry) in entries.enumerated() where pinSet(of: index).map({ !$0.pins.isEmpty }) ?? false {
            parents.formUnion(entry.domains.filter(\.includesSubdomains).map(\.name))
        }
        return parents
    }

    /// The nearest; names have 127 labels at most.
    private static func parent(of name: String, among parents: Set<String>) -> String? {
        var rest = name[...]
        for _ in 0..<127 {
            guard let dot = rest.firstIndex(of: ".") else { return nil }
            rest = rest[rest.index(after: dot)...]
            if parents.contains(String(rest)) { return String(rest) }
        }
        return nil
    }

    private func emptied(_ entry: Entry) -> [PolicyTrap] {
        guard let set = entry.pinSet, set.pins.isEmpty else { return [] }
        return entry.domains.prefix(1).map { domain in
            PolicyTrap(
                .noPins, .warning, host: domain.name, mark: set.mark,
                message: "The pin-set of \(domain.name) is empty, which takes inherited pins away: it is not pinned.",
                advice: "Fill it, or take it out.")
        }
    }

    private func cleartext(_ entry: Entry, _ index: Int? = nil) -> [PolicyTrap] {
        guard entry.cleartextPermitted == true else { return [] }
        let isPinned = index.flatMap { pinSet(of: $0) }.map { !$0.pins.isEmpty } ?? false
        let name = entry.domains.first?.name
        return [
            PolicyTrap(
                .cleartext, .warning, host: name, mark: entry.mark,
                message: "Cleartext traffic is permitted for \(name ?? "all hosts")"
                    + (isPinned ? ", which is pinned: plain HTTP knows no pins." : "."),
                advice: "Take cleartextTrafficPermitted out, or set it to false.")
        ]
    }

    private func overrides(_ entry: Entry) -> [PolicyTrap] {
        (entry.anchors ?? []).filter(\.overridesPins).map { anchors in
            let name = entry.domains.first?.name
            return PolicyTrap(
                .overridePins, .error, host: name, mark: anchors.mark,
                message:
                    "overridePins is on for \(anchors.source.words) of \(name ?? "all hosts"): chains that end "
                    + "there are "
                    + "accepted whatever the pins say.",
                advice: "Take overridePins out; for debug builds, debug-overrides has it by itself.")
        }
    }

    private var debugOverrides: [PolicyTrap] {
        switch debug {
        case .missing: return []
        case .refused(let fault):
            return [
                PolicyTrap(
                    .debugOverrides, .warning, mark: fault.mark,
                    message: "Debug builds crash over debug-overrides: \(fault.words).",
                    advice: "Mend it or take it out.")
            ]
        case .read(let entry):
            let system = (entry.anchors ?? []).first { $0.source == .system && $0.overridesPins }
            return [
                PolicyTrap(
                    .debugOverrides, system == nil ? .note : .warning, mark: system?.mark ?? entry.mark,
                    message: system == nil
                        ? "debug-overrides ships with the release; only a debuggable build obeys it."
                        : "debug-overrides lets the system's anchors override pins, so no public chain is held "
                            + "against pins in "
                            + "a debuggable build.",
                    advice: system == nil
                        ? "Keep it in the debug build's own resources."
                        : "Name the authority of your test hosts in place of system.")
            ]
        }
    }
}

extension NetworkSecurityConfig.Anchors.Source {
    fileprivate var words: String {
        switch self {
        case .system: "the system's authorities"
        case .user: "authorities that the user installed"
        case .resource(let name): name
        }
    }
}
