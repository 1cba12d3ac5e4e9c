/// What Apple's trust evaluation makes of a chain before any pin is compared (pin-semantics 0.5).
struct AppleTrust {
    /// The policy that the app evaluates under.
    enum Check {
        /// SecPolicyCreateSSL with the host's name.
        case serverWithHost
        /// SecPolicyCreateSSL without a name: the host is not compared.
        case server
        /// SecPolicyCreateBasicX509: neither the host nor the rules for servers.
        case anyPurpose

        fileprivate var isForServers: Bool {
            switch self {
            case .serverWithHost, .server: true
            case .anyPurpose: false
            }
        }
    }

    /// Why the evaluation fails, or `unknown` where that cannot be told; `nil` if it passes.
    let refusal: Verdict?
    /// The paths that the app may see built: those that pass, or all plausible ones where none does.
    let paths: [Path]
    /// What the evaluation rests on beside what was seen.
    let notes: [String]

    /// With the anchors of the device.
    static func evaluate(_ presentation: Presentation, as check: Check) -> AppleTrust {
        let paths = presentation.plausiblePaths
        func refused(_ verdict: Verdict?) -> AppleTrust { AppleTrust(refusal: verdict, paths: paths, notes: []) }
        switch check {
        case .serverWithHost:
            if let rejection = presentation.plainRejection { return refused(rejection) }
        case .server, .anyPurpose:
            if !presentation.verification.valid { return refused(presentation.plainRejection) }
        }
        guard check.isForServers else { return AppleTrust(refusal: nil, paths: paths, notes: []) }
        let sound = paths.filter { AppleServerRules.fault(of: $0) == nil }
        if let path = paths.first, sound.isEmpty { return refused(AppleServerRules.fault(of: path)) }
        return AppleTrust(refusal: nil, paths: sound, notes: AppleServerRules.notes(on: sound))
    }

    /// With the app's pinned certificates as the only anchors (SecTrustSetAnchorCertificates).
    static func evaluate(_ presentation: Presentation, as check: Check, anchors: PinnedAnchors) -> AppleTrust {
        let candidates = anchors.paths(for: presentation)
        let paths = candidates.map(\.path)
        func refused(_ verdict: Verdict) -> AppleTrust { AppleTrust(refusal: verdict, paths: paths, notes: []) }
        if let fault = presentation.assessment.leaf.flatMap({ $0.dateFault(at: presentation.now) }) {
            return refused(fault)
        }
        let judged = candidates.map { ($0, fault(of: $0.path, check, now: presentation.now)) }
        let sound = judged.filter { $0.1 == nil }.map(\.0)
        let hostFault =
            check == .serverWithHost && !presentation.verification.hostMatches ? presentation.hostMismatch : nil
        guard !sound.isEmpty else {
            let unknown = anchors.unknown.map { hostFault ?? $0 }
            return refused(judged.first?.1 ?? unknown ?? anchors.noPath(for: presentation))
        }
        if let hostFault { return refused(hostFault) }
        return AppleTrust(
            refusal: nil, paths: sound.map(\.path),
            notes: sound.allSatisfy(\.isInferred) ? [PinnedAnchors.inference] : [])
    }

    private static func fault(of path: Path, _ check: Check, now: Instant) -> Verdict? {
        for member in path.members {
            if let fault = member.dateFault(at: now) { return fault }
        }
        return check.isForServers ? AppleServerRules.fault(of: path) : nil
    }
}

extension Presentation {
    /// The answer of an Apple client for a host that no entry covers: see ``Presentation/unlisted(near:)``.
    func appleUnlisted(near: String?) -> Verdict {
        let trust = AppleTrust.evaluate(self, as: .serverWithHost)
        return trust.refusal ?? unlisted(near: near).noting(trust.notes)
    }

    fileprivate var hostMismatch: Verdict {
        Verdict(
            .rejectChain, code: "host_mismatch", reason: "the certificate's subjectAltName does not cover \(host)")
    }
}

extension CertificateSummary {
    /// `reject_chain` if `now` is outside the validity.
    fileprivate func dateFault(at now: Instant) -> Verdict? {
        if let notAfter, now > notAfter {
            return Verdict(
                .rejectChain, code: "expired",
                reason: "the certificate \(shortName) expired at \(notAfter.rfc3339 ?? "a time beyond the calendar")")
        }
        if let notBefore, now < notBefore {
            return Verdict(
                .rejectChain, code: "not_yet_valid",
                reason: "the certificate \(shortName) is not valid before "
                    + (notBefore.rfc3339 ?? "a time beyond the calendar"))
        }
        return nil
    }
}
