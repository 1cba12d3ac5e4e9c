/// What Apple asks of a TLS server's path beyond what RFC 5280 does (pin-semantics 0.5): long-lived leaves, and keys and
/// digests that are too weak, are refused whatever the pins.
///
/// The purpose (serverAuth) is part of path building. Whether a certificate's transparency suffices can only be noted: its
/// timestamps may also come stapled with OCSP or in the handshake, which nobody looked at.
enum AppleServerRules {
    /// `reject_chain` with the first rule that the path breaks.
    static func fault(of path: Path) -> Verdict? { lifetimeFault(of: path) ?? strengthFault(of: path) }

    /// One sentence if a public root's leaf carries no timestamps of its own.
    static func notes(on paths: [Path]) -> [String] {
        let isSuspect = paths.contains { path in
            guard path.source == .system, let leaf = path.certificates.first, leaf.scts == 0 else { return false }
            return leaf.notBefore.map { $0 >= transparencySince } ?? true
        }
        guard isSuspect else { return [] }
        return [
            "the leaf has no embedded certificate timestamps, which Apple asks of certificates of public roots; unless the "
                + "server sends them by OCSP or in the handshake, Apple devices refuse it"
        ]
    }

    /// The whole validity counts, as Security's own code does: `notAfter` less `notBefore`.
    ///
    /// https://support.apple.com/en-us/102028 (398 days) and https://support.apple.com/en-us/103769 (825 days).
    private static func lifetimeFault(of path: Path) -> Verdict? {
        guard let leaf = path.certificates.first, let issued = leaf.notBefore, let lifetime = leaf.lifetimeSeconds,
            let limit = limit(issued: issued, path: path), lifetime > limit.seconds
        else { return nil }
        return Verdict(
            .rejectChain, code: "lifetime_too_long",
            reason: "the leaf is valid for \(lifetime / day) days; Apple takes at most \(limit.days) from certificates "
                + "of \(path.source == .system ? "public" : "private") roots issued from \(limit.since) on")
    }

    private static func limit(issued: Instant, path: Path) -> (days: Int64, seconds: Int64, since: String)? {
        // Security allows an hour more where it is 825 days.
        let long = 825 * day + 3_600
        switch path.source {
        case .system:
            if issued >= september2020 { return (398, 398 * day, "2020-09-01") }
            return issued >= march2018 ? (825, long, "2018-03-01") : nil
        case .user where path.members.count == 1:
            // A leaf that the user trusts by itself.
            return nil
        case .given, .user:
            return issued >= july2019 ? (825, long, "2019-07-01") : nil
        }
    }

    private static func strengthFault(of path: Path) -> Verdict? {
        for member in path.members {
            var faults = member.weak
            // Nobody verifies an anchor's signature.
            if member.fingerprint == path.anchor.fingerprint { faults.removeAll { $0.hasSuffix("_signature") } }
            if let key = member.key, key.type == "EC", let bits = key.bits, bits < 256 { faults.append("ec_\(bits)") }
            guard let fault = faults.first else { continue }
            return Verdict(
                .rejectChain, code: "weak",
                reason: "Apple refuses the certificate \(member.shortName) as weak: \(fault)")
        }
        return nil
    }

    private static let day: Int64 = 86_400
    private static let march2018 = Instant(unixSeconds: 1_519_862_400)
    private static let transparencySince = Instant(unixSeconds: 1_539_561_600)  // 2018-10-15
    private static let july2019 = Instant(unixSeconds: 1_561_939_200)
    private static let september2020 = Instant(unixSeconds: 1_598_918_400)
}
