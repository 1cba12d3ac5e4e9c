/// Whether an entry survives the day on which a key must be replaced.
enum BackupLint {
    static func traps(_ layer: LintedLayer) -> [PolicyTrap] {
        let chains = KnownChains(layer.facts.certificates)
        var told: Set<String?> = []
        return layer.entries.flatMap { entry in
            let backup = told.contains(entry.host) ? [] : backup(entry, layer, chains)
            if !backup.isEmpty { told.insert(entry.host) }
            return duplicates(entry) + backup
        }
    }

    private static func duplicates(_ entry: LintedEntry) -> [PolicyTrap] {
        var seen: Set<SHA256Digest> = []
        return entry.pins.compactMap { pin in
            guard let digest = PinProbe.digest(pin), !seen.insert(digest).inserted else { return nil }
            return PolicyTrap(
                .duplicatePin, .warning, host: entry.host, pin: pin,
                message:
                    "\(entry.subject) has \(entry.written(pin)) twice, and twice the same is one pin.",
                advice: "Put a backup key's pin in its place, or leave it out.")
        }
    }

    private static func backup(_ entry: LintedEntry, _ layer: LintedLayer, _ chains: KnownChains) -> [PolicyTrap] {
        guard layer.error?.code != "too_few_pins" else { return [] }
        let usable = entry.inForce.filter { layer.probe.canMatch($0) }
        guard !usable.isEmpty else { return [] }
        let matches: (Pin, CertificateSummary) -> Bool = { layer.policy.pin($0, matches: $1) }
        if let chain = chains.first(holding: usable, matches) {
            let isLeafs = usable.allSatisfy { matches($0, chain.leaf) }
            if isLeafs { return [leafOnly(entry)] }
            if distinct(usable) > 1 { return [oneChain(entry, usable.count)] }
        }
        guard distinct(usable) == 1 else { return [] }
        return [
            PolicyTrap(
                .noBackup, .warning, host: entry.host, pin: usable.first,
                message: "\(entry.subject) has a single pin: when its key must be replaced, the release stops working.",
                advice: "Add the pin of a key that is kept offline.")
        ]
    }

    private static func distinct(_ pins: [Pin]) -> Int {
        Set(pins.map { PinProbe.digest($0)?.base64 ?? $0.text }).count
    }

    private static func leafOnly(_ entry: LintedEntry) -> PolicyTrap {
        PolicyTrap(
            .leafKeyOnly, .warning, host: entry.host, pin: entry.pins.first,
            message:
                "\(entry.subject) pins nothing but the key of the leaf in use: when it must be replaced, the release "
                + "stops working.",
            advice: "Add the pin of a key that is kept offline.")
    }

    private static func oneChain(_ entry: LintedEntry, _ count: Int) -> PolicyTrap {
        PolicyTrap(
            .oneChain, .warning, host: entry.host, pin: entry.pins.first,
            message:
                "All \(count) pins of \(entry.name) are of one chain: when the authority is changed, or its chain "
                + "withdrawn, none of them is left.",
            advice: "Add a pin of another authority, or of a key that is kept offline.")
    }
}

/// Certificates put together to chains by their names: each that issued none of the others, with all above it.
struct KnownChains {
    private let chains: [[CertificateSummary]]

    init(_ certificates: [CertificateSummary]) {
        let known = certificates.prefix(200)
        let issuers = Set(known.filter { $0.issuerDER != $0.subjectDER }.compactMap(\.issuerDER))
        let leaves = known.filter { $0.isCA != true && !($0.subjectDER.map(issuers.contains) ?? false) }
        chains = leaves.map { leaf in
            var chain = [leaf]
            while chain.count < 10, let issuer = chain.last?.issuerDER, issuer != chain.last?.subjectDER,
                let next = known.first(where: { $0.subjectDER == issuer })
            {
                chain.append(next)
            }
            return chain
        }
    }

    /// A chain that every pin is of.
    func first(
        holding pins: [Pin], _ matches: (Pin, CertificateSummary) -> Bool
    ) -> (leaf: CertificateSummary, members: [CertificateSummary])? {
        chains.first { chain in pins.allSatisfy { pin in chain.contains { matches(pin, $0) } } }
            .flatMap { chain in chain.first.map { ($0, chain) } }
    }
}
