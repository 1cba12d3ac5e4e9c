extension ApplePinnedDomainsPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        age(release.platform) + entries.flatMap { $0.traps(facts) }
    }

    private func age(_ platform: Platform?) -> [PolicyTrap] {
        guard let version = platform?.version else { return [] }
        let first: (name: String, version: VersionNumber?)
        switch platform?.system {
        case .ios: first = ("iOS", VersionNumber("14"))
        case .macos: first = ("macOS", VersionNumber("11"))
        case .android, .jvm, .linux, nil: return []
        }
        guard let since = first.version, version < since else { return [] }
        return [
            PolicyTrap(
                .systemTooOld, .warning,
                message:
                    "The release supports \(first.name) \(version), and NSPinnedDomains is read from \(since) on: "
                    + "older "
                    + "systems pin nothing, without a word.",
                advice: "Support \(first.name) \(since) and newer alone, or pin in code as well.")
        ]
    }
}

extension ApplePinnedDomainsPolicy.Entry {
    fileprivate func traps(_ facts: LintFacts) -> [PolicyTrap] {
        var traps: [PolicyTrap] = []
        switch includesSubdomains {
        case .boolean(false): break
        case .boolean(true):
            traps.append(
                PolicyTrap(
                    .oneLabelOnly, .note, host: domain,
                    message: "NSIncludesSubdomains of \(domain) covers names of one label more: a.\(domain), and not "
                        + "b.a.\(domain).",
                    advice: "Add entries for the names that hold deeper ones."))
        case .other(let text):
            traps.append(
                PolicyTrap(
                    .notBoolean, .error, host: domain,
                    message:
                        "NSIncludesSubdomains of \(domain) is \(text), and only the boolean true includes sub-domains: "
                        + "they are not pinned, without a word.",
                    advice: "Write <true/>."))
        }
        return traps + lists(facts)
    }

    private func lists(_ facts: LintFacts) -> [PolicyTrap] {
        if leaves == nil, authorities == nil {
            return [
                PolicyTrap(
                    .noPins, .error, host: domain,
                    message:
                        "\(domain) has neither NSPinnedLeafIdentities nor NSPinnedCAIdentities, so it is not pinned.",
                    advice: "Add one of the lists, or take the entry out.")
            ]
        }
        var traps = [("NSPinnedLeafIdentities", leaves), ("NSPinnedCAIdentities", authorities)].compactMap {
            name, list in
            list?.isEmpty == true ? empty(name) : nil
        }
        if leaves != nil, authorities != nil {
            traps.append(
                PolicyTrap(
                    .bothLists, .warning, host: domain,
                    message:
                        "\(domain) has both lists, and both must match: a change of either the leaf's key or its "
                        + "issuer's "
                        + "cuts the release off.",
                    advice: "Keep one of the lists, unless both are kept up together."))
        }
        return traps + misplaced(facts)
    }

    private func empty(_ name: String) -> PolicyTrap {
        PolicyTrap(
            .noPins, .error, host: domain,
            message: "\(name) of \(domain) is empty, which refuses every connection.",
            advice: "Fill the list, or take it out.")
    }

    /// Hashes of leaves among the authorities, and the other way round, as far as certificates are known.
    private func misplaced(_ facts: LintFacts) -> [PolicyTrap] {
        let lists: [(pins: [Pin], isLeaf: Bool)] = [(leaves ?? [], true), (authorities ?? [], false)]
        return lists.flatMap { list in
            let wrong = list.pins.filter { pin in
                let digest = PinnedIdentities.digest(of: pin)
                let known = facts.certificates.filter { $0.spki == digest && digest != nil }
                return !known.isEmpty && known.allSatisfy { ($0.isCA == true) == list.isLeaf }
            }
            return wrong.map { misplaced($0, isLeaf: list.isLeaf, isAll: wrong.count == list.pins.count) }
        }
    }

    private func misplaced(_ pin: Pin, isLeaf: Bool, isAll: Bool) -> PolicyTrap {
        let (here, there) =
            isLeaf
            ? ("NSPinnedLeafIdentities", "NSPinnedCAIdentities") : ("NSPinnedCAIdentities", "NSPinnedLeafIdentities")
        return PolicyTrap(
            .misplacedHash, isAll ? .error : .warning, host: domain, pin: pin,
            message:
                "\(pin.text) in \(here) of \(domain) is the key of \(isLeaf ? "an authority" : "a leaf"), which "
                + "that list "
                + "is never held against: it matches nothing.",
            advice: "Move it to \(there).")
    }
}
