import PinwatchCore
import Testing

/// A host with what it serves, built from letters: certificate `A` has fingerprint AAAA… and key AAAA… unless said.
struct World {
    static let day: Int64 = 86_400
    static let now = Instant(unixSeconds: 1_800_000_000)

    var now = World.now
    var targetID: Int64 = 12
    var host = "api.example.com"
    var settings: TargetSettings
    var failures = 0
    var lastScanAt: Instant? = World.now - 60
    var addresses: [AddressStatus] = []
    var handshakes: [ServedHandshake] = []
    var spans: [Span] = []
    var revoked: [SHA256Digest: Revocation] = [:]
    var assessments: [ChainID: ChainAssessment] = [:]
    var policy = EvaluationPolicy(
        thresholds: Configuration.Thresholds(), periodSeconds: 300, routes: [], channels: [], pinSets: [])

    init() {
        settings = TargetSettings(
            identity: TargetIdentity(
                host: .name(HostName(checked: host)), port: 443, sni: HostName(checked: host), startTLS: nil))
    }

    var target: Target { Target(id: TargetID(targetID), settings: settings) }

    var state: TargetState {
        var state = TargetState(
            target: target, addedAt: now - 90 * Self.day, lastScanAt: lastScanAt, lastChainAt: lastScanAt,
            failures: failures, failingSince: nil, addresses: addresses, openSpans: spans,
            handshakes: handshakes)
        state.revoked = revoked
        return state
    }

    static func digest(_ letter: Character) throws -> SHA256Digest {
        try #require(SHA256Digest([UInt8](repeating: letter.asciiValue ?? 0, count: 32)))
    }

    static func chain(_ letter: Character) throws -> ChainID { ChainID(digest: try digest(letter)) }
    static func address(_ last: Int) throws -> IPAddress { try #require(IPAddress("192.0.2.\(last)")) }
    static func spki(_ letter: Character) throws -> Pin { .spki(text: try digest(letter).base64) }

    /// - Parameter days: Days from now to its start and to its end.
    func certificate(
        _ letter: Character, key: Character? = nil, days: (Int64, Int64) = (-30, 60), names: [String]? = nil
    ) throws -> CertificateSummary {
        var summary = CertificateSummary(fingerprint: try Self.digest(letter))
        summary.spki = try Self.digest(key ?? letter)
        summary.subject = "CN=\(letter)"
        summary.notBefore = now + days.0 * Self.day
        summary.notAfter = now + days.1 * Self.day
        summary.dnsNames = names ?? [host]
        return summary
    }

    func root() throws -> CertificateSummary { try certificate("R", days: (-3_000, 3_000), names: []) }
    func issuer() throws -> CertificateSummary { try certificate("I", days: (-900, 900), names: []) }

    /// Serves a leaf under issuer `I` and root `R` on some addresses; the chain has the leaf's letter.
    mutating func serve(
        _ leaf: CertificateSummary, issuer: CertificateSummary? = nil, on addresses: [Int], family: KeyFamily? = .ecdsa
    ) throws {
        let issuer = try issuer ?? self.issuer()
        try serve(
            leaf, sent: [leaf, issuer], paths: [Path(certificates: [leaf, issuer], anchor: try root())],
            on: addresses, family: family)
    }

    mutating func serve(
        _ leaf: CertificateSummary, sent: [CertificateSummary], paths: [Path], code: VerificationCode = .ok,
        reason: String = "fine", missing: MissingIssuer? = nil, on addresses: [Int], family: KeyFamily? = .ecdsa
    ) throws {
        let chain = ChainID(digest: leaf.fingerprint)
        assessments[chain] = ChainAssessment(
            chain: chain, trustStore: "system", certificates: sent, paths: paths, code: code, reason: reason,
            stray: [], missingIssuer: missing)
        spans.append(try span(chain, on: addresses, family: family))
    }

    func span(_ chain: ChainID, on addresses: [Int], family: KeyFamily?) throws -> Span {
        Span(
            id: SpanID(Int64(spans.count) + 1), family: family, chain: chain, firstSeen: now - 900, lastSeen: now - 60,
            closedAt: nil, scans: 3, flaps: 0,
            servings: try addresses.map {
                Serving(
                    address: try Self.address($0), profile: .phone, firstSeen: now - 900, lastSeen: now - 60,
                    current: true)
            })
    }

    @discardableResult
    mutating func release(
        _ policy: StubPolicy, id: Int64 = 3, variant: Variant = .release, stack: String = "default",
        share: Double? = 0.31, trustStore: String? = nil, origin: String = "test", beside: [StubPolicy] = []
    ) -> PinSet {
        let definition = PinSetDefinition(
            identity: PinSetIdentity(app: "shop-ios", release: "5.\(id)", variant: variant, stack: stack), share: share,
            platform: nil, trustStore: trustStore,
            layers: ([policy] + beside).map { PinLayer(client: .generic, clientVersion: nil, policy: $0) }, source: "",
            origin: origin,
            managedBy: .config)
        let pinSet = PinSet(id: PinSetID(id), definition: definition)
        self.policy.pinSets.append(pinSet)
        return pinSet
    }

    /// A release that pins the keys of these letters for the host.
    mutating func release(pinning letters: String, id: Int64 = 3, variant: Variant = .release) throws {
        release(StubPolicy([host: try letters.map { try Self.spki($0) }]), id: id, variant: variant)
    }

    func evaluate() -> Evaluation {
        Evaluator.evaluate(host: host, targets: [state], policy: policy, now: now) { chain, store in
            store == "system" ? assessments[chain] : nil
        }
    }

    func findings(_ kind: FindingKind) -> [Finding] { evaluate().findings.filter { $0.kind == kind } }
}
