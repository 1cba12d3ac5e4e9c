/// One entry of TSKPinnedDomains.
struct TrustKitDomain {
    /// As the file spells it.
    let name: String
    /// kTSKPublicKeyHashes.
    let pins: [Pin]
    var includesSubdomains = false
    /// kTSKExcludeSubdomainFromParentPolicy.
    var isExcluded = false
    /// TSKEnforcePinning; otherwise a pin that does not match is only reported.
    var isEnforced = true
    /// Midnight UTC at the start of the named day, at which the pins still hold.
    var expires: Instant?
    /// Keys beside the exclusion, which must stand alone.
    var others: [String] = []
    /// What is inferred of the entry.
    var notes: [String] = []

    /// The pins as TrustKit keeps them; `nil` for one that it throws over.
    static func digest(of pin: Pin) -> SHA256Digest? {
        switch pin {
        case .spki(let text): isCanonical(text) ? PinText.sha256(text) : nil
        case .file(_, .certificate(let file, _)): file.spki
        case .file(_, .publicKey(let spki)): spki
        case .spkiSHA1, .certificate: nil
        }
    }

    /// Walks from the anchor to the leaf, as TrustKit does: the first key that matches decides, and so does one before it
    /// that TrustKit cannot hash.
    ///
    /// - Parameters:
    ///   - members: Leaf first.
    ///   - anchor: The last's fingerprint if it is a trust anchor.
    func verdict(on members: [CertificateSummary], anchor: SHA256Digest?) -> Verdict {
        for (index, member) in members.enumerated().reversed() {
            let position = index == 0 ? "leaf" : member.fingerprint == anchor ? "anchor" : "intermediate"
            guard Self.isSupported(member.key) else { return Self.unsupported(member, position) }
            guard let pin = pins.first(where: { Self.digest(of: $0).map { $0 == member.spki } ?? false }) else {
                continue
            }
            return Verdict(
                .accept, code: "pin_matched", reason: "\(pin.text) of \(name) matches the \(position)",
                matched: PinMatch(pin: pin.text, position: position, certificate: member.fingerprint))
        }
        let key = members.first?.spki.map { "; the leaf's key is \($0.pin)" } ?? ""
        let reason =
            "none of the \(pins.count) pins for \(name) matches any of the \(members.count) certificates of the path"
            + key
        let notes = pins.compactMap { PinDiagnosis.note($0, against: members, comparing: .spki) }
        return isEnforced
            ? Verdict(.rejectPin, code: "no_pin_matched", reason: reason, notes: notes)
            : Verdict(
                .acceptReport, code: "report_only", reason: reason + "; TrustKit is not to enforce it, and reports",
                notes: notes)
    }

    /// The kinds for which TrustKit knows the header that it puts before the raw key.
    static func isSupported(_ key: PublicKeySummary?) -> Bool {
        guard let key else { return false }
        switch key.type {
        case "RSA": return [2048, 3072, 4096].contains(key.bits)
        case "EC": return ["P-256", "P-384"].contains(key.curve)
        default: return false
        }
    }

    private static func unsupported(_ member: CertificateSummary, _ position: String) -> Verdict {
        let kind = member.key.map { key in
            [key.type, key.curve ?? key.bits.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
        }
        return Verdict(
            .rejectPin, code: "unsupported_key",
            reason:
                "the \(position) \(member.shortName) has a key that TrustKit cannot hash (\(kind ?? "unreadable")), and "
                + "none above it matches; it takes RSA 2048, 3072 and 4096, P-256 and P-384, and blocks others even where "
                + "it only reports")
    }

    /// Foundation's strict decoder takes padded standard base64 alone; 32 bytes come to 43 characters and one `=`.
    private static func isCanonical(_ text: String) -> Bool {
        text.utf8.count == 44 && text.hasSuffix("=") && !text.contains("-") && !text.contains("_")
    }
}
