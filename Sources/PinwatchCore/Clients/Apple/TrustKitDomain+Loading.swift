extension TrustKitDomain {
    private static let keys = [
        "public_key_hashes", "include_subdomains", "exclude_subdomain_from_parent_policy", "enforce_pinning",
        "expiration_date",
    ]

    init?(from member: Node.Member, reader: inout NodeReader) {
        let before = reader.problems.count
        guard !member.key.isEmpty else {
            reader.report(member.keyMark, "a domain must not be empty")
            return nil
        }
        guard let entry = reader.mapping(member.value, "domain \(member.key)", allowed: Self.keys) else { return nil }
        let pins = entry["public_key_hashes"].map { reader.pins($0, "public_key_hashes") ?? [] }
        func flag(_ key: String, _ assumed: Bool) -> Bool {
            entry[key].flatMap { reader.propertyFlag($0, key) }?.boolValue ?? assumed
        }
        let (includes, excluded) = (
            flag("include_subdomains", false), flag("exclude_subdomain_from_parent_policy", false)
        )
        let enforced = flag("enforce_pinning", true)
        let date = entry["expiration_date"].flatMap { reader.string($0, "expiration_date") }
        guard reader.problems.count == before else { return nil }
        self.init(name: member.key, pins: pins ?? [], includesSubdomains: includes, isExcluded: excluded)
        isEnforced = enforced
        others = Self.keys.filter { $0 != "exclude_subdomain_from_parent_policy" && entry[$0] != nil }
        if let date { readExpiry(date) }
    }

    /// TrustKit's formatter reads `yyyy-MM-dd` in UTC and, without a fixed locale, in the device's calendar.
    private mutating func readExpiry(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(part) : nil
        }
        guard parts.count == 3, numbers.count == 3,
            let instant = Instant(year: numbers[0], month: numbers[1], day: numbers[2])
        else {
            notes.append(
                "expiration_date \(text) is no yyyy-MM-dd, which TrustKit is taken to read as no expiry at all; this was "
                    + "not seen on a device")
            return
        }
        expires = instant
        notes.append(
            "expiration_date ends at midnight UTC at the start of that day; on devices with another calendar than the "
                + "Gregorian, TrustKit may read another year, which was not seen on a device")
    }

    /// Why TrustKit throws as it starts, which ends the app: the first fault in file order.
    static func configurationError(of domains: [TrustKitDomain], registry: TrustKitRegistry) -> Verdict? {
        guard !domains.isEmpty else {
            return Verdict(
                .configError, code: "empty", reason: "no domain is pinned, over which TrustKit throws as it starts")
        }
        for domain in domains {
            if let fault = domain.loadFault(among: domains, registry) { return fault }
        }
        return nil
    }

    private func loadFault(among domains: [TrustKitDomain], _ registry: TrustKitRegistry) -> Verdict? {
        if let fault = registry.fault(of: name) {
            return refused("unknown_suffix", fault)
        }
        if isExcluded { return exclusionFault(among: domains, registry) }
        if includesSubdomains, registry.isSuffix(name) {
            return refused(
                "public_suffix", "is a public suffix itself and cannot include sub-domains",
                notes: [TrustKitRegistry.age])
        }
        if let bad = pins.first(where: { Self.digest(of: $0) == nil }) {
            return refused("malformed_pin", "has \(bad.text), which is no base64 of 32 bytes, padded")
        }
        let distinct = Set(pins.compactMap(Self.digest)).count
        let needed = isEnforced ? 2 : 1
        guard distinct < needed else { return nil }
        let words = distinct == 1 ? "1 distinct pin" : "\(distinct) distinct pins"
        return refused("too_few_pins", "has \(words), and TrustKit wants at least \(needed)")
    }

    private func exclusionFault(among domains: [TrustKitDomain], _ registry: TrustKitRegistry) -> Verdict? {
        if let other = others.first {
            return refused(
                "exclusion_not_alone",
                "is excluded from its parent's policy and has \(other) as well, which must not be")
        }
        let hasParent = domains.contains { $0.includesSubdomains && registry.covers($0.name, name) }
        return hasParent
            ? nil : refused("no_parent", "is excluded from its parent's policy, but no parent includes sub-domains")
    }

    private func refused(_ code: String, _ words: String, notes: [String] = []) -> Verdict {
        Verdict(
            .configError, code: code, reason: "\(name) \(words); TrustKit throws as it starts, which ends the app",
            notes: notes)
    }
}
