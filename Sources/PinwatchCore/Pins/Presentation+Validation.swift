extension Presentation {
    /// `reject_chain` if plain TLS validation fails, whatever the pins; `nil` if it passes.
    ///
    /// The chain's own fault names the code, before a wrong host name: a client builds the path first.
    package var plainRejection: Verdict? {
        if !verification.valid {
            return Verdict(.rejectChain, code: verification.code.rejection, reason: verification.reason)
        }
        guard verification.hostMatches else {
            return Verdict(
                .rejectChain, code: "host_mismatch",
                reason: "the certificate's subjectAltName does not cover \(host)")
        }
        return nil
    }

    /// The paths that a client may have built at this time: those whose dates hold, or all where none do.
    package var plausiblePaths: [Path] {
        let current = verification.paths.filter { path in
            path.members.allSatisfy { $0.holds(at: now) }
        }
        return current.isEmpty ? verification.paths : current
    }

    /// The answer for a host that no entry covers: `unpinned`, or `reject_chain` where plain validation fails.
    ///
    /// - Parameter near: An entry that the reader may have believed to cover the host, and why it does not.
    package func unlisted(near: String?) -> Verdict {
        plainRejection ?? notListed(near: near)
    }

    /// The same of a client whose own validation has passed.
    package func notListed(near: String?) -> Verdict {
        guard let near else {
            return Verdict(
                .unpinned, by: .design, code: "host_not_listed",
                reason: "no entry lists \(host), so plain TLS validation decides")
        }
        return Verdict(
            .unpinned, by: .trap, code: "host_not_listed",
            reason: "no entry covers \(host): \(near); so it is not pinned")
    }
}

extension VerificationCode {
    /// The word that verdicts use: what comes to no usable path is one fault to a pinning client.
    fileprivate var rejection: String {
        switch self {
        case .selfSigned, .untrustedRoot, .missingIssuer, .badSignature: "no_path"
        case .ok, .expired, .notYetValid, .weak, .wrongPurpose, .unreadable: rawValue
        }
    }
}

extension CertificateSummary {
    /// Whether `now` lies within the validity, both ends included (RFC 5280 section 4.1.2.5); a date that could not be
    /// read holds nothing back.
    fileprivate func holds(at now: Instant) -> Bool {
        (notBefore.map { $0 <= now } ?? true) && (notAfter.map { now <= $0 } ?? true)
    }
}
