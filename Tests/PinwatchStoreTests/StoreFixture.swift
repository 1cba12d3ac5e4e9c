import PinwatchCore
import TestSupport

@testable import PinwatchStore

let noon = Instant(unixSeconds: 1_900_000_000)

/// A digest that is recognised by its number; nothing here needs it to be a real hash.
func digest(_ number: UInt64) -> SHA256Digest {
    let word = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    guard let digest = SHA256Digest(word + word + word + word) else { preconditionFailure("32 bytes") }
    return digest
}

func address(_ text: String) -> IPAddress {
    guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address") }
    return address
}

/// A leaf and its issuer. The leaf's bytes name its key, which ``NumberAssessor`` reads back.
func chain(_ leaf: UInt8, key: UInt8) -> Chain {
    let leafCertificate = Certificate(der: [leaf, key], fingerprint: digest(UInt64(leaf) << 8 | UInt64(key)))
    let issuer = Certificate(der: [0, 0], fingerprint: digest(0xCA))
    return Chain(
        id: ChainID(digest: digest(1 << 32 | UInt64(leaf) << 8 | UInt64(key))), certificates: [leafCertificate, issuer])
}

func key(_ number: UInt8) -> SHA256Digest { digest(2 << 32 | UInt64(number)) }

/// Reads the certificates of ``chain(_:key:)``.
struct NumberAssessor: ChainAssessor {
    var subject = "CN=leaf"
    func assessment(
        of chain: ChainID, trustStore: String, now: Instant, load: () throws -> Chain?
    ) rethrows -> ChainAssessment? {
        guard let sent = try load() else { return nil }
        let summaries = sent.certificates.map { certificate in
            var summary = CertificateSummary(fingerprint: certificate.fingerprint)
            summary.spki = PinwatchStoreTests.key(certificate.der[1])
            summary.family = .ecdsa
            summary.subject = subject
            summary.notBefore = noon - 86_400
            summary.notAfter = noon + 90 * 86_400
            summary.scts = certificate.der[0] == 77 ? 2 : 0
            summary.weak = certificate.der[0] == 66 ? ["sha1_signature"] : []
            return summary
        }
        let leaf = summaries.prefix(1)
        return ChainAssessment(
            chain: chain, trustStore: trustStore, certificates: summaries,
            paths: summaries.last.map { [Path(certificates: Array(leaf), anchor: $0)] } ?? [], code: .ok,
            reason: "it leads to an anchor", stray: [], missingIssuer: nil)
    }
}

/// A store in a directory of its own, and what a service would hold beside it.
struct StoreFixture: Sendable {
    let directory: TestDirectory
    let store: Store
    var path: String { directory.path + "/pinwatch.db" }

    init(options: StoreOptions = StoreOptions()) async throws {
        directory = try TestDirectory()
        store = try await Store.open(path: directory.path + "/pinwatch.db", options: options, now: noon)
    }

    func configuration(
        hosts: [String] = ["api.example.com"], channels: [String] = [], pinSets: [PinSetDefinition] = []
    ) -> Configuration {
        var configuration = Configuration(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), database: path)
        configuration.targets = hosts.map { settings($0) }
        configuration.channels = channels.map { channel($0) }
        configuration.pinSets = pinSets
        return configuration
    }

    func synchronize(
        _ configuration: Configuration, trustStores: [String: SHA256Digest] = [:], at now: Instant = noon
    ) async throws -> Synchronized {
        try await store.synchronize(
            configuration, trustStores: trustStores, urlHash: { Array($0.url.revealed.utf8) }, readPinSet: readPins,
            now: now)
    }

    func targets(_ hosts: String...) async throws -> [Target] {
        try await synchronize(configuration(hosts: hosts)).targets.map(\.target)
    }

    func count(_ sql: String) async throws -> Int64 {
        let rows = try await store.writer.statement(sql)
        guard case .integer(let number)? = rows.first?.first else { return -1 }
        return number
    }

    func count(of table: String) async throws -> Int64 { try await count("SELECT count(*) FROM \(table)") }

    /// Rows of every table that may grow by an observation.
    func rows() async throws -> [String: Int64] {
        var rows: [String: Int64] = [:]
        for table in storedTables { rows[table] = try await count(of: table) }
        return rows
    }
}

let storedTables = [
    "certificate", "public_key", "chain", "chain_certificate", "span", "span_sighting", "serving", "observation",
    "observation_sighting", "event", "finding", "alert", "outbox", "delivery_alert", "address_resolution", "verdict",
    "upcoming",
]

func settings(_ host: String, labels: [String: String] = [:], owner: Owner = .ours) -> TargetSettings {
    let name = HostName(checked: host)
    return TargetSettings(
        identity: TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil), owner: owner, labels: labels)
}

/// What a transaction of a test's own goes by.
struct Judge: Sendable {
    var policy: EvaluationPolicy
    var assessor: any ChainAssessor
}

extension Writer {
    /// A recording by a policy that is put in force for it.
    func recording(
        judge: Judge, now: Instant, _ body: (inout Recording) throws(StoreError) -> Void
    ) throws(StoreError) -> Recorded {
        policy = judge.policy
        return try recording(assessor: judge.assessor, now: now, body)
    }
}

/// A judge without pin sets.
func judge(
    _ assessor: any ChainAssessor = NumberAssessor(), routes: [Route] = [], channels: [String] = []
) -> Judge {
    Judge(
        policy: EvaluationPolicy(
            thresholds: Configuration.Thresholds(), periodSeconds: 300, routes: routes,
            channels: channels, pinSets: []),
        assessor: assessor)
}

func channel(_ name: String) -> Channel {
    Channel(name: name, kind: .webhook, url: Secret("https://\(name).example"), secrets: [], allowPrivate: false)
}

/// A scan that ends when it starts; `nil` for an address that refused.
func scan(_ target: Target, at now: Instant, _ answers: [(String, Chain?)]) -> Scan {
    Scan(
        target: target, startedAt: now, endedAt: now, resolved: answers.map { address($0.0) },
        observations: answers.map { text, chain in
            var observation = Observation(
                at: now, address: address(text), profile: .phone,
                outcome: chain == nil ? .connectRefused(message: "refused") : .ok)
            observation.chain = chain
            observation.keyFamily = chain == nil ? nil : .ecdsa
            observation.tlsVersion = chain == nil ? nil : .tls13
            return observation
        })
}

func unresolved(_ target: Target, at now: Instant) -> Scan {
    Scan(
        target: target, startedAt: now, endedAt: now, resolved: nil,
        observations: [
            Observation(at: now, address: nil, profile: .phone, outcome: .resolveFailed(message: "no such name"))
        ])
}

func finding(
    _ key: String, severity: Severity = .critical, target: TargetID? = nil, summary: String = "something is wrong",
    since: Instant = noon, stale: Bool = false
) -> Finding {
    Finding(
        key: key, kind: .pinRejected, scope: Scope(affected: 1, of: 2), severity: severity, targetID: target,
        pinSetID: PinSetID(3), subject: "api.example.com", summary: summary, nextStep: "Look.",
        evidence: .object([
            ("z", .string("\u{0}\u{2028}\"\\é🔑")), ("a", .array([.null, .bool(true), .number(0.25)])),
        ]),
        since: since, stale: stale, affectedShare: 0.5)
}

func alert(for finding: Finding) -> Alert {
    Alert(
        id: AlertID(0), findingKey: finding.key, kind: finding.kind, state: .open, severity: finding.severity,
        openedAt: noon)
}
