extension ChainAssessment {
    /// The judgement at one time for one name.
    ///
    /// Every certificate of a path must be within its dates: the leaf, the intermediates, and the anchor too, as OpenSSL
    /// and Apple's trust evaluation demand. (Conscrypt does not ask for the anchor's; a root that ran out still breaks the
    /// other half of an app's users.) Sent certificates that are on no path never count. Of several paths one within its
    /// dates is enough; if none is, the first path's first certificate outside its dates, from the leaf on, is named.
    package func verification(at now: Instant, for reference: ReferenceIdentity) -> Verification {
        let judged = paths.map { (path: $0, fault: $0.dateFault(at: now)) }
        let sound = judged.filter { $0.fault == nil }.map(\.path)
        let (code, reason): (VerificationCode, String)
        if self.code == .ok, sound.isEmpty, let fault = judged.first?.fault {
            (code, reason) = (fault.code, fault.reason)
        } else {
            (code, reason) = (self.code, self.reason)
        }
        return Verification(
            trustStore: trustStore, valid: code == .ok, code: code, reason: reason,
            hostMatches: leaf.map(reference.matches) ?? false,
            paths: sound + judged.filter { $0.fault != nil }.map(\.path), stray: stray(beside: sound),
            missingIssuer: missingIssuer)
    }

    /// Where a path holds, what is sent for none that does is of no use.
    private func stray(beside sound: [Path]) -> [SHA256Digest] {
        guard !sound.isEmpty else { return stray }
        let used = Set(sound.flatMap(\.members).map(\.fingerprint))
        return certificates.map(\.fingerprint).filter { !used.contains($0) }
    }
}

extension Path {
    /// The seconds within which every member is inside its dates, both ends included; `nil` if there are none, or if a
    /// member's dates are unknown.
    package var validity: ClosedRange<Instant>? {
        var (start, end) = (Instant(unixSeconds: .min), Instant(unixSeconds: .max))
        for member in members {
            guard let notBefore = member.notBefore, let notAfter = member.notAfter else { return nil }
            (start, end) = (max(start, notBefore), min(end, notAfter))
        }
        return start <= end ? start...end : nil
    }

    /// What is wrong with the dates of the first member that is outside them at `now`.
    fileprivate func dateFault(at now: Instant) -> (code: VerificationCode, reason: String)? {
        for (index, member) in members.enumerated() {
            // Names take longer to make than dates to compare, and mostly nobody asks for them.
            if let notBefore = member.notBefore, let notAfter = member.notAfter, notBefore <= now, now <= notAfter {
                continue
            }
            let name = memberName(index)
            guard let notBefore = member.notBefore, let notAfter = member.notAfter else {
                return (.unreadable, "The dates of \(name) cannot be read.")
            }
            if now > notAfter { return (.expired, "\(name.capitalizedFirst) expired at \(notAfter.shown).") }
            if now < notBefore {
                return (.notYetValid, "\(name.capitalizedFirst) is not valid before \(notBefore.shown).")
            }
        }
        return nil
    }

    private func memberName(_ index: Int) -> String {
        let member = members[index]
        if index == 0 { return "the leaf \(member.shortName)" }
        return index == members.count - 1
            ? "the trust anchor \(member.shortName)" : "the intermediate \(member.shortName)"
    }
}

extension CertificateSummary {
    /// The subject in quotes, cut to 120 characters; the fingerprint's first digits where there is no readable name.
    package var shortName: String {
        guard let subject, !subject.isEmpty else { return "with fingerprint \(fingerprint.hex.prefix(16))…" }
        return "\"" + subject.prefix(120) + (subject.count > 120 ? "…" : "") + "\""
    }
}

extension Instant {
    fileprivate var shown: String { rfc3339 ?? "a time outside the years 1 to 9999" }
}

extension String {
    /// The same with its first letter in upper case, for the start of a sentence. A first word that is none, such as a
    /// host, a pin or a key of a file, stays as it is written.
    package var capitalizedFirst: String {
        let word = prefix { !$0.isWhitespace }
        let isPlain = word.utf8.allSatisfy { (0x61...0x7A).contains($0) || "',-:".utf8.contains($0) }
        return isPlain ? prefix(1).uppercased() + dropFirst() : self
    }
}
