extension Path {
    /// The members below the first one that the trust store holds. Conscrypt and the JVM's PKIX validate these alone, so
    /// an anchor that ran out still counts, and a leaf that is itself an anchor is not looked at (pin-semantics 0.5).
    var untrusted: ArraySlice<CertificateSummary> {
        let members = members
        return members.prefix(members.firstIndex { anchored.contains($0.fingerprint) } ?? members.count)
    }

    /// Why the untrusted part's dates do not hold at `now`, as a `reject_chain`, from the leaf on; `nil` where they do.
    func untrustedRejection(at now: Instant) -> Verdict? {
        for (index, member) in untrusted.enumerated() {
            let name = (index == 0 ? "The leaf " : "The intermediate ") + member.shortName
            guard let notBefore = member.notBefore, let notAfter = member.notAfter else {
                return Verdict(.rejectChain, code: "unreadable", reason: "\(name) has dates that cannot be read.")
            }
            if now > notAfter {
                let end = notAfter.rfc3339 ?? "a time outside the years 1 to 9999"
                return Verdict(.rejectChain, code: "expired", reason: "\(name) expired at \(end).")
            }
            if now < notBefore {
                let start = notBefore.rfc3339 ?? "a time outside the years 1 to 9999"
                return Verdict(.rejectChain, code: "not_yet_valid", reason: "\(name) is not valid before \(start).")
            }
        }
        return nil
    }
}

extension Presentation {
    /// The `reject_chain` of a certificate that does not name the host; `nil` where it does.
    var hostRejection: Verdict? {
        verification.hostMatches
            ? nil
            : Verdict(
                .rejectChain, code: "host_mismatch",
                reason: "the certificate's subjectAltName does not cover \(host)")
    }

    /// The `reject_chain` of a chain that no path leads up from.
    var pathless: Verdict {
        plainRejection ?? Verdict(.rejectChain, code: "no_path", reason: assessment.reason)
    }

    /// The same, of a chain whose every path ends in an anchor that the app does not trust.
    func untrustedAnchor(of path: Path) -> Verdict {
        let anchor = path.anchor.shortName
        let why =
            switch path.source {
            case .user: "an anchor that the device's user added, which the app does not trust"
            case .system, .given: "a system anchor, which the app does not trust"
            }
        return Verdict(.rejectChain, code: "no_path", reason: "the chain leads to \(anchor), \(why)")
    }
}
