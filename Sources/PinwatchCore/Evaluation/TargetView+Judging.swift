/// Assessments asked for in one evaluation, each at most once.
struct AssessmentMemory {
    private struct Key: Hashable {
        let chain: ChainID
        let trustStore: String
    }
    private var known: [Key: ChainAssessment?] = [:]

    mutating func assessment(
        of chain: ChainID, trustStore: String, assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> ChainAssessment? {
        let key = Key(chain: chain, trustStore: trustStore)
        if let known = known[key] { return known }
        let assessment = try assess(chain, trustStore)
        known[key] = .some(assessment)
        return assessment
    }
}

extension TargetView {
    init(
        _ state: TargetState, policy: EvaluationPolicy, now: Instant, memory: inout AssessmentMemory,
        assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows {
        let settings = state.target.settings
        var chains: [ServedChain] = []
        for (span, addresses) in Self.served(state.openSpans) {
            let assessment = try memory.assessment(of: span.chain, trustStore: settings.trustStore, assess: assess)
            chains.append(
                ServedChain(
                    id: span.chain, family: span.family, addresses: addresses, assessment: assessment,
                    verification: assessment?.verification(at: now, for: settings.identity.reference)))
        }
        var releases: [JudgedRelease] = []
        for pinSet in policy.pinSets(about: settings.identity.clientHost) {
            let release = try JudgedRelease(
                pinSet, of: settings, chains: chains, now: now,
                assess: { try memory.assessment(of: $0, trustStore: $1, assess: assess) })
            releases.append(release)
        }
        self.init(state: state, policy: policy, now: now, chains: chains, releases: releases)
    }

    private static func served(_ spans: [Span]) -> [(Span, [IPAddress])] {
        spans.compactMap { span -> (Span, [IPAddress])? in
            let addresses = span.currentAddresses.sorted()
            return addresses.isEmpty ? nil : (span, addresses)
        }
        .sorted { left, right in
            left.1[0] == right.1[0] ? left.0.chain.digest < right.0.chain.digest : left.1[0] < right.1[0]
        }
    }
}

extension JudgedRelease {
    /// - Parameter chains: What the target serves, judged against its own trust store.
    init(
        _ pinSet: PinSet, of settings: TargetSettings, chains: [ServedChain], now: Instant,
        assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows {
        let definition = pinSet.definition
        let host = settings.identity.clientHost
        let trustStore = definition.trustStore ?? settings.trustStore
        var verdicts: [ChainID: ReleaseVerdict] = [:]
        var accepted: [ChainAssessment] = []
        let isKnown = definition.isKnownToConnect(to: settings)
        for chain in chains {
            guard isKnown else {
                verdicts[chain.id] = definition.notKnownToConnect
                continue
            }
            guard let assessment = try assess(chain.id, trustStore) else {
                verdicts[chain.id] = definition.unknown(trustStore: trustStore)
                continue
            }
            let verdict = ReleaseVerdict.judge(
                definition,
                presentation: Presentation(
                    host: host, assessment: assessment,
                    verification: assessment.verification(at: now, for: settings.identity.reference), now: now))
            if verdict.deciding.kind == .accept { accepted.append(assessment) }
            verdicts[chain.id] = verdict
        }
        let rejected = chains.filter { chain in
            verdicts[chain.id].map { definition.rejects(chain, $0.deciding, host: host, now: now) } ?? false
        }
        let pins = isKnown ? definition.pins(for: host, now: now) : []
        let lasts = rejected.isEmpty && !pins.isEmpty && definition.identity.variant == .release
        let runway = Runway(definition: definition, host: host, reference: settings.identity.reference, now: now)
        self.init(
            pinSet: pinSet, pins: pins, verdicts: verdicts, rejected: Set(rejected.map(\.id)),
            runsOut: lasts ? runway.end(of: accepted) : nil)
    }
}

extension PinSetDefinition {
    /// Every layer's pins for a host; none on a stack that does not consult them.
    func pins(for host: String, now: Instant) -> [Pin] {
        identity.stack == "default" ? layers.flatMap { $0.policy.pins(for: host, now: now) } : []
    }

    /// Whether the release's own pins, or its own trust, refuse a chain.
    ///
    /// What plain validation refuses is told by the chain's own findings. It counts here only where the target's trust
    /// store finds nothing wrong, or where no pin would hold even if the chain were mended.
    fileprivate func rejects(_ chain: ServedChain, _ verdict: Verdict, host: String, now: Instant) -> Bool {
        switch verdict.kind {
        case .accept, .acceptReport, .unpinned, .notEvaluated, .dependsOnPath, .unknown: return false
        case .configError: return !layers.contains { $0.policy.configurationError != nil }
        case .rejectPin: return verdict.isAboutHost
        case .rejectChain:
            guard !pins(for: host, now: now).isEmpty else { return false }
            if chain.verification.map({ $0.valid && $0.hostMatches }) ?? false { return true }
            return !layers.contains { layer in
                layer.policy.pins(for: host, now: now).contains { pin in
                    chain.members.contains { layer.policy.pin(pin, matches: $0) }
                }
            }
        }
    }

    func unknown(trustStore: String) -> ReleaseVerdict {
        let verdict = Verdict(
            .unknown, code: "not_assessed", reason: "the chain could not be judged against trust store \(trustStore)")
        return ReleaseVerdict(
            layers: layers.map { ReleaseVerdict.Layer(client: $0.client, verdict: verdict) }, deciding: verdict)
    }
}
