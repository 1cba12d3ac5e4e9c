/// One connection of OkHttp's, its host looked up: the handshake, then the name, then pins on the cleaned chain.
struct OkHttpAsked {
    let presentation: Presentation
    /// The entries whose patterns cover the host.
    let matched: [OkHttpEntry]
    /// A pattern that a reader may take for covering it, and why it does not.
    let near: String?

    /// The trust manager is Android's, and its path is what pins are held against.
    func onAndroid() -> Verdict {
        // What users add is trusted up to API 23 alone, for apps that ask for no more.
        let trustsUsers = presentation.release.androidLevel.map { $0 < 24 } ?? false
        switch ConscryptOrder.walk(presentation, trusting: { trustsUsers || $0.source != .user }) {
        case .rejected(let rejection): return rejection
        case .validated(let paths): return pinned { $0.firstPath(of: paths) }
        }
    }

    /// The trust manager is the JVM's; the chain is then cleaned by OkHttp itself, without a look at dates.
    ///
    /// - Parameter misread: Why the name does not hold for OkHttp although the certificate has it.
    func onJVM(failing misread: Verdict? = nil) -> Verdict {
        let paths = presentation.assessment.paths
        guard let best = paths.first else { return presentation.pathless }
        let trusted = paths.filter { $0.source != .user }
        guard let first = trusted.first else { return presentation.untrustedAnchor(of: best) }
        if !trusted.contains(where: { $0.untrustedRejection(at: presentation.now) == nil }),
            let rejection = first.untrustedRejection(at: presentation.now)
        {
            return rejection
        }
        let cleaned = OkHttpOrder.cleaned(trusted, sent: presentation.assessment.certificates)
        return pinned(failing: misread) { test in
            guard cleaned.allSatisfy(OkHttpOrder.isShortEnough) else {
                return Verdict(
                    .rejectChain, code: "chain_too_long",
                    reason: "OkHttp gives up on a chain with more than 9 certificates above the leaf")
            }
            guard cleaned.allSatisfy(OkHttpOrder.isSignedByTrusted) else {
                return Verdict(
                    .rejectChain, code: "no_path",
                    reason:
                        "OkHttp looks for a trusted certificate that signed the leaf; that the leaf itself is trusted "
                        + "helps only where it is self-signed, so every pinned host fails")
            }
            return test.paths(cleaned)
        }
    }

    /// Every chain passes the handshake, and none can be cleaned.
    func trustingAll(failing misread: Verdict? = nil) -> Verdict {
        pinned(failing: misread) { _ in
            Verdict(
                .rejectChain, code: "no_path",
                reason: "the trust manager names no accepted issuers, so OkHttp finds no trusted certificate that "
                    + "signed the chain, and every pinned host fails")
        }
        .noting(
            presentation.plainRejection.map {
                ["trust is not evaluated, although plain validation fails: \($0.reason)"]
            } ?? [])
    }

    /// The `reject_chain` of an IPv6 address that is compared as text with another writing of itself.
    func misreadAddress(_ host: String) -> Verdict {
        Verdict(
            .rejectChain, code: "host_mismatch",
            reason:
                "before 4.5.0 OkHttp on the JVM compares \(host) as text with the certificate's address, which Java "
                + "writes with all its groups, so they differ")
    }

    private func pinned(failing misread: Verdict? = nil, _ cleaned: (PinTest) -> Verdict) -> Verdict {
        if let rejection = presentation.hostRejection ?? misread { return rejection }
        guard !matched.isEmpty else { return presentation.notListed(near: near) }
        let test = PinTest(
            entry: matched.map(\.pattern).joined(separator: " and "), pins: matched.flatMap(\.pins),
            matches: OkHttpEntry.matches,
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: .spki) })
        return cleaned(test).noting(lengths(test.pins))
    }

    /// OkHttp takes a pin of any length.
    private func lengths(_ pins: [Pin]) -> [String] {
        pins.compactMap { pin in
            let (text, wanted): (String, Int)
            switch pin {
            case .spki(let written): (text, wanted) = (written, 32)
            case .spkiSHA1(let written): (text, wanted) = (written, 20)
            case .certificate, .file: return nil
            }
            guard let count = OkioBase64.decode(text)?.count, count != wanted else { return nil }
            return "\(pin.text) has \(count) bytes instead of \(wanted); OkHttp takes it, and it never matches"
        }
    }
}
