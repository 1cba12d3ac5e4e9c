import PinwatchCore
import Synchronization

/// A store that answers with what a test put into it, and remembers how lists were asked for.
final class StubReadingStore: ReadingStore {
    struct Contents: Sendable {
        var summary = SummaryRecord(
            targets: 0, addresses: 0, conditions: [:], findings: FindingCounts(), openAlerts: 0, pinSets: 0, broken: [],
            runway: [], changes: [], lastScanAt: nil, onTime: 0, failing: 0, unscanned: 0)
        var targets: [TargetRecord] = []
        var spans: [SpanRecord] = []
        var observations: [ObservationRecord] = []
        var verdicts: [VerdictRecord] = []
        var allVerdicts: [TargetVerdictRecord] = []
        var runway: [Upcoming] = []
        var coverage = CoverageRecord(unpinned: [], unpinnedTotal: 0, unscanned: [], unscannedTotal: 0)
        var accepted: [AcceptedRecord] = []
        var certificates: [CertificateRecord] = []
        var keys: [KeyRecord] = []
        var findings: [Finding] = []
        var alerts: [AlertRecord] = []
        var deliveries: [Delivery] = []
        var events: [EventRecord] = []
        var tokens: [SHA256Digest: TokenRecord] = [:]
        var writeProblem: String?
        var depths: [(name: String, count: Int)] = []
        /// Thrown by every list.
        var failure: (any Error)?
        var requests: [PageRequest] = []
    }

    private let contents: Mutex<Contents>

    init(_ contents: Contents = Contents()) {
        self.contents = Mutex(contents)
    }

    func change(_ body: @Sendable (inout Contents) -> Void) { contents.withLock { body(&$0) } }
    var requests: [PageRequest] { contents.withLock { $0.requests } }

    private func page<Item>(_ request: PageRequest, _ items: (Contents) -> [Item]) throws -> Page<Item> {
        try contents.withLock { contents in
            contents.requests.append(request)
            if let failure = contents.failure { throw failure }
            let all = items(contents)
            let shown = Array(all.prefix(request.limit))
            return Page(items: shown, next: shown.count < all.count ? "more" : nil, total: all.count)
        }
    }

    func summary(now: Instant) async throws -> SummaryRecord {
        try contents.withLock { contents in
            if let failure = contents.failure { throw failure }
            return contents.summary
        }
    }
    func targets(_ request: PageRequest) async throws -> Page<TargetRecord> { try page(request) { $0.targets } }
    func target(_ id: TargetID) async throws -> TargetRecord? {
        contents.withLock { $0.targets.first { $0.target.id == id } }
    }
    func spans(of target: TargetID, _ request: PageRequest) async throws -> Page<SpanRecord> {
        try page(request) { $0.spans }
    }
    func observations(of target: TargetID, _ request: PageRequest) async throws -> Page<ObservationRecord> {
        try page(request) { $0.observations }
    }
    func verdicts(of target: TargetID, _ request: PageRequest) async throws -> Page<VerdictRecord> {
        try page(request) { $0.verdicts }
    }
    func verdicts(_ request: PageRequest) async throws -> Page<TargetVerdictRecord> {
        try page(request) { $0.allVerdicts }
    }
    func runway(_ request: PageRequest, now: Instant) async throws -> Page<Upcoming> { try page(request) { $0.runway } }
    func coverage(now: Instant) async throws -> CoverageRecord { contents.withLock { $0.coverage } }
    func accepted(of target: TargetID) async throws -> [AcceptedRecord] { contents.withLock { $0.accepted } }
    func certificate(_ fingerprint: SHA256Digest) async throws -> CertificateRecord? {
        contents.withLock { $0.certificates.first { $0.certificate.fingerprint == fingerprint } }
    }
    func key(_ spki: SHA256Digest) async throws -> KeyRecord? {
        contents.withLock { $0.keys.first { $0.spki == spki } }
    }
    func findings(_ request: PageRequest) async throws -> Page<Finding> { try page(request) { $0.findings } }
    func alerts(_ request: PageRequest) async throws -> Page<AlertRecord> { try page(request) { $0.alerts } }
    func alert(_ id: AlertID) async throws -> AlertRecord? {
        contents.withLock { $0.alerts.first { $0.alert.id == id } }
    }
    func deliveries(_ request: PageRequest) async throws -> Page<Delivery> { try page(request) { $0.deliveries } }
    func events(_ request: PageRequest) async throws -> Page<EventRecord> { try page(request) { $0.events } }
    func token(sha256: SHA256Digest) async throws -> TokenRecord? { contents.withLock { $0.tokens[sha256] } }
    func hasTokens() async throws -> Bool {
        contents.withLock { $0.tokens.values.contains { $0.revokedAt == nil } }
    }
    func writeProblem(now: Instant) async -> String? { contents.withLock { $0.writeProblem } }
    func queueDepths() async throws -> [(name: String, count: Int)] { contents.withLock { $0.depths } }
}
