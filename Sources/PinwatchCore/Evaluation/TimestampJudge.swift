/// Tells that a leaf which came with signed certificate timestamps (RFC 6962) is now served with none at all.
///
/// They may come within the certificate, by TLS extension or in the OCSP staple, and any of them will do.
package enum TimestampJudge {
    /// What an address last showed to a hello.
    package struct Shown: Sendable, Hashable {
        package let chain: ChainID
        /// As in ``Observation/scts``.
        package let scts: Int
        package init(chain: ChainID, scts: Int) {
            self.chain = chain
            self.scts = scts
        }
    }

    /// One event for all addresses of a scan, if any.
    ///
    /// - Parameters:
    ///   - before: The target's spans before the scan, with servings of the flap window.
    ///   - shown: What the observation's address showed to such a hello before; `nil` if it never showed a chain.
    ///   - leaf: The reading of a chain's leaf; `nil` where it cannot be had, and then nothing is told.
    ///   - lastTold: When the target's last event of this kind was.
    package static func event(
        of scan: Scan, before: [Span], flapWindowSeconds: Int64, shown: (Observation) throws -> Shown?,
        leaf: (ChainID) throws -> CertificateSummary?, lastTold: () throws -> Instant?
    ) rethrows -> Event? {
        let since = scan.endedAt - flapWindowSeconds
        let bare = try scan.observations.filter { observation in
            guard observation.scts == 0, !scan.showsUnnarrowed(observation), let chain = observation.chain?.id,
                let last = try shown(observation),
                last != Shown(chain: chain, scts: 0), try leaf(chain)?.scts == 0
            else { return false }
            if last.chain != chain, before.contains(where: { $0.showed(chain, to: observation, since: since) }) {
                return false
            }
            return try last.scts > 0 || (leaf(last.chain)?.scts ?? 0) > 0
        }
        guard !bare.isEmpty else { return nil }
        return event(of: scan, bare, quiet: try lastTold().map { $0 >= since } ?? false)
    }

    private static func event(of scan: Scan, _ bare: [Observation], quiet: Bool) -> Event {
        let label = scan.target.identity.label
        let addresses = Set(bare.compactMap(\.address)).sorted()
        let all = scan.addresses().count
        let leaves = Set(bare.compactMap { $0.chain?.certificates.first?.fingerprint.hex }).sorted()
        return Event(
            kind: .sctDropped, at: scan.endedAt, targetID: scan.target.id, subject: label, quiet: quiet,
            summary: "\(label) now serves its certificate with no signed certificate timestamp, "
                + Wording.addresses(addresses.count, of: all)
                + "; clients that ask for Certificate Transparency refuse it.",
            evidence: .object([
                ("leaves", .few(leaves.map { .string($0) })), ("addresses", .addresses(addresses)),
                ("of", .integer(Int64(all))),
            ]))
    }
}

extension Scan {
    /// Whether the chain that a narrowed hello got is also what the address shows without narrowing, and told by that.
    fileprivate func showsUnnarrowed(_ observation: Observation) -> Bool {
        observation.profile.isNarrowed
            && observations.contains { other in
                !other.profile.isNarrowed && other.address == observation.address && other.chain == observation.chain
            }
    }
}

extension Span {
    /// Whether the address shows this chain in turns with another: that it does so again is no news.
    fileprivate func showed(_ chain: ChainID, to observation: Observation, since: Instant) -> Bool {
        self.chain == chain
            && servings.contains { serving in
                serving.address == observation.address && serving.profile == observation.profile
                    && (serving.current || serving.lastSeen >= since)
            }
    }
}
