/// Tells that a target came to hold, or lost, a certificate of one kind of key.
///
/// Servers that hold an RSA and an ECDSA certificate choose by the hello, so a family that no hello asked for by itself is
/// unknown, not absent: only what was refused before can appear, and only what is refused now has disappeared.
package enum FamilyJudge {
    /// - Parameters:
    ///   - before: The target's spans before the scan, open or not.
    ///   - after: The same and new ones, as the scan leaves them.
    ///   - wasRefused: Whether the last narrowed hello for a family at an address learnt that there is none.
    package static func events(
        of scan: Scan, before: [Span], after: [Span], wasRefused: (IPAddress, HelloProfile) -> Bool
    ) -> [Event] {
        let (had, has) = (families(before), families(after))
        return [KeyFamily.ecdsa, .rsa].compactMap { family in
            guard let profile = HelloProfile(narrowedTo: family), had.contains(family) != has.contains(family) else {
                return nil
            }
            if has.contains(family) {
                let seen = scan.addresses { $0.chain != nil && $0.keyFamily == family }
                guard seen.contains(where: { wasRefused($0, profile) }) else { return nil }
                return event(.familyAppeared, family, beside: had, seen, scan)
            }
            let refused = scan.addresses { observation in
                if case .noSuchKeyFamily = observation.outcome { observation.profile == profile } else { false }
            }
            return refused.isEmpty ? nil : event(.familyDisappeared, family, beside: has, refused, scan)
        }
    }

    private static func families(_ spans: [Span]) -> Set<KeyFamily> {
        Set(spans.filter { $0.closedAt == nil }.compactMap(\.family))
    }

    private static func event(
        _ kind: EventKind, _ family: KeyFamily, beside others: Set<KeyFamily>, _ addresses: [IPAddress], _ scan: Scan
    ) -> Event {
        let label = scan.target.identity.label
        let all = scan.addresses().count
        let places = Wording.addresses(addresses.count, of: all)
        let rest = others.subtracting([family]).map(\.word).sorted().joined(separator: " and ")
        let summary =
            kind == .familyAppeared
            ? "\(label) now serves a certificate with \(family.word) key\(rest.isEmpty ? "" : " beside \(rest) one"), \(places)."
            : "\(label) serves no certificate with \(family.word) key any longer\(rest.isEmpty ? "" : ", only with \(rest) one"), "
                + "\(places)."
        return Event(
            kind: kind, at: scan.endedAt, targetID: scan.target.id, subject: label, quiet: false, summary: summary,
            evidence: .object([
                ("key_family", .string(family.rawValue)), ("addresses", .addresses(addresses)),
                ("of", .integer(Int64(all))),
            ]))
    }
}

extension KeyFamily {
    /// With its article, for sentences.
    fileprivate var word: String {
        switch self {
        case .rsa: "an RSA"
        case .ecdsa: "an ECDSA"
        case .ed25519: "an Ed25519"
        case .ed448: "an Ed448"
        case .other: "another"
        }
    }
}
