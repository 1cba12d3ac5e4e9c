/// An address that serves a chain of one key family: what scopes count.
struct ServedPlace: Hashable {
    let address: IPAddress
    let family: KeyFamily?
}

/// A chain served now, with all that is known of it.
struct ServedChain {
    let id: ChainID
    let family: KeyFamily?
    /// In ascending order.
    let addresses: [IPAddress]
    /// Against the target's own trust store; `nil` where the chain could not be judged, which is no fault of its own.
    let assessment: ChainAssessment?
    let verification: Verification?

    var places: [ServedPlace] { addresses.map { ServedPlace(address: $0, family: family) } }
    var leaf: CertificateSummary? { assessment?.leaf }

    /// Certificates of the paths, or as sent where there is no path.
    var members: [CertificateSummary] {
        guard let assessment else { return [] }
        return assessment.paths.isEmpty ? assessment.certificates : assessment.paths.flatMap(\.members)
    }

    /// The facts that findings about a chain show.
    var evidence: JSON {
        .object([
            ("chain", .few((assessment?.certificates ?? []).map { .string($0.fingerprint.hex) })),
            ("sha256", .text(leaf?.fingerprint.hex)), ("spki", .text(leaf?.spki?.pin)),
            ("key_family", .text(family?.rawValue)), ("addresses", .addresses(addresses)),
        ])
    }
}

/// What a release makes of a target.
struct JudgedRelease {
    let pinSet: PinSet
    /// The pins that apply to the target's host, over all layers.
    let pins: [Pin]
    /// By served chain; a chain that could not be judged has `unknown`.
    let verdicts: [ChainID: ReleaseVerdict]
    /// Chains that the pins themselves would refuse, whatever else is wrong with them: see ``TargetView``.
    let rejected: Set<ChainID>
    /// When it is certain to stop accepting what it accepts now; `nil` while it is rejected anywhere, and for debug builds.
    let runsOut: RunwayEnd?

    func kind(of chain: ChainID) -> VerdictKind { verdicts[chain]?.deciding.kind ?? .unknown }

    /// Whether the release means to pin this host, as far as can be told.
    var pinsHost: Bool {
        !pins.isEmpty || verdicts.values.contains { $0.deciding.meansPinning }
    }
}

/// A target with everything that its rules ask for, worked out once.
struct TargetView {
    let state: TargetState
    let policy: EvaluationPolicy
    let now: Instant
    /// One for each chain and family, in order of their first address.
    let chains: [ServedChain]
    /// Those that may have anything to say of the host.
    let releases: [JudgedRelease]

    var target: Target { state.target }
    var label: String { target.identity.label }
    var thresholds: Configuration.Thresholds { policy.thresholds }
    var periodSeconds: Int64 { max(target.settings.periodSeconds ?? policy.periodSeconds, 1) }

    /// Addresses that serve a chain now.
    var addressCount: Int { Set(chains.flatMap(\.addresses)).count }
    var placeCount: Int { Set(chains.flatMap(\.places)).count }

    /// Nothing has answered for so long that what is known is only what was last known.
    var isStale: Bool { state.failures >= max(thresholds.failingAfter, 1) }

    /// `on 3 of 8 addresses`, of those that serve a chain.
    func addresses(_ affected: Int) -> String {
        let silent = Set(state.addresses.compactMap(\.address)).subtracting(chains.flatMap(\.addresses))
        return Wording.addresses(affected, of: addressCount, someAreSilent: !silent.isEmpty)
    }

    /// The same for the addresses of some chains.
    func addresses(of some: [ServedChain]) -> String { addresses(Set(some.flatMap(\.addresses)).count) }

    /// A finding about this target.
    ///
    /// - Parameter part: What comes after the target's number in the key, where a target can have several.
    func finding(
        _ kind: FindingKind, part: String? = nil, stage: Stage? = nil, severity: Severity, summary: String,
        nextStep: String, evidence: JSON
    ) -> Finding {
        Finding(
            key: ([kind.rawValue, target.id.text] + (part.map { [$0] } ?? [])).joined(separator: "/"), kind: kind,
            stage: stage, severity: severity, targetID: target.id, subject: label, summary: summary,
            nextStep: advice(kind, ours: nextStep), evidence: evidence, since: now, stale: isStale)
    }
}

extension TargetIdentity {
    /// The host as an app names it: the server name, which stands for the host where a target is an address.
    package var clientHost: String { sni?.ascii ?? host.text }
}

extension Verdict {
    /// Whether a refusal is of pins that someone wrote for this host, not of a host that the policy does not list.
    var isAboutHost: Bool { code != "host_not_listed" && code != "no_evaluator" }

    /// Whether the answer comes from pins that someone wrote for this host. A refusal by the chain alone does not.
    fileprivate var meansPinning: Bool {
        switch kind {
        case .accept: code != "no_pins_compared"
        case .unpinned: by == .trap
        case .acceptReport, .configError, .dependsOnPath: true
        case .rejectPin: isAboutHost
        case .rejectChain, .notEvaluated, .unknown: false
        }
    }
}
