@testable import PinwatchCore

/// Questions about candidates, over ``Lab``'s certificates: chain 1, 2 and root 3 are what is served today.
enum PreflightLab {
    static let host = "api.example.com"

    static func key(
        _ number: UInt8, kind: PinnableKey.Kind = .request,
        is key: PublicKeySummary = PublicKeySummary(type: "EC", bits: 256, curve: "P-256"), family: KeyFamily = .ecdsa
    ) -> Candidate {
        .key(
            CandidateKey(
                kind: kind, subject: nil, spki: Lab.digest(2, number), spkiSHA1: [UInt8](repeating: number, count: 20),
                rawKey: Lab.digest(3, number), key: key, family: family))
    }

    static func question(
        _ candidate: Candidate, isWhole: Bool = false, now: Instant = Lab.now, targets: [TargetSettings]? = nil
    ) -> PreflightQuestion {
        PreflightQuestion(
            host: host, reference: .dns(HostName(checked: host)), candidate: candidate, isWhole: isWhole, now: now,
            trustStore: "system", targets: targets)
    }

    static func release(
        _ policies: [any PinPolicy], app: String = "shop", release: String = "1", variant: Variant = .release,
        stack: String = "default", share: Double? = nil, system: Platform.System? = .ios,
        client: Client = .generic
    ) -> PreflightRelease {
        PreflightRelease(
            definition: PinSetDefinition(
                identity: PinSetIdentity(app: app, release: release, variant: variant, stack: stack), share: share,
                platform: system.map { Platform(system: $0, version: nil) }, trustStore: nil,
                layers: policies.map { PinLayer(client: client, clientVersion: nil, policy: $0) }, source: "",
                origin: "test", managedBy: .config))
    }

    static func generic(_ numbers: [UInt8], match: GenericPolicy.Match = .anyInPath) -> GenericPolicy {
        GenericPolicy(entries: [Lab.entry(host, numbers.map { Lab.pin($0) }, match: match)])
    }

    /// Knows what is served where `serves` says so, and makes of every certificate with one byte its number's.
    static func knowledge(
        serves: Bool = false, code: VerificationCode = .ok, issuers: [UInt8] = []
    ) -> PreflightKnowledge {
        PreflightKnowledge(
            today: { _ in
                .chains(serves ? [assessment([1, 2], root: 3)] : [])
            }, issuers: issuers.map { Certificate(der: [$0], fingerprint: Lab.digest(1, $0)) },
            assess: { certificates, trustStore in
                guard trustStore == "system" else { return nil }
                let numbers = certificates.compactMap(\.der.first)
                let missing = code == .ok && numbers.count == 1 ? VerificationCode.missingIssuer : code
                return assessment(numbers, root: missing == .ok ? 3 : nil, code: missing)
            })
    }

    static func assessment(_ numbers: [UInt8], root: UInt8?, code: VerificationCode = .ok) -> ChainAssessment {
        let sent = numbers.enumerated().map { place, number in
            var certificate = Lab.certificate(number, ends: 10_000)
            if place == 0 { certificate.dnsNames = [host] }
            return certificate
        }
        return ChainAssessment(
            chain: ChainID(digest: Lab.digest(4, numbers.first ?? 0)), trustStore: "system", certificates: sent,
            paths: root.map { [Path(certificates: sent, anchor: Lab.certificate($0, ends: 90_000))] } ?? [], code: code,
            reason: "reason", stray: [], missingIssuer: nil)
    }

    static func chain(_ numbers: UInt8...) -> Candidate {
        .chain(numbers.map { Certificate(der: [$0], fingerprint: Lab.digest(1, $0)) })
    }

    static func verdict(
        _ candidate: Candidate, _ policies: any PinPolicy..., knowing knowledge: PreflightKnowledge = knowledge()
    ) throws -> Verdict? {
        let preflight = try Preflight.run(question(candidate), of: [release(policies)], knowing: knowledge)
        return preflight.rows.first?.verdict.deciding
    }
}
