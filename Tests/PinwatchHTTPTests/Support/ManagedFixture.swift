import PinwatchCore

@testable import PinwatchHTTP

/// A service whose things can be changed: one of each kind, with the id 1 or the name `ops`.
struct ManagedFixture {
    let store: StubReadingStore
    let managing: StubManagingStore
    let administration: StubAdministration
    let files = StubPinFiles()
    let rotation = StubRotationDesk()
    let lines = Lines()
    let context: ServiceContext
    let service: Service

    init(
        _ reading: StubReadingStore.Contents = .sample, _ managed: StubManagingStore.Contents = .sample,
        publicURL: String? = nil, _ adjust: (inout StubAdministration) -> Void = { _ in }
    ) {
        var configuration = Configuration(
            listen: ListenAddress(address: address("127.0.0.1"), port: 8080), database: "/var/lib/pinwatch/pinwatch.db")
        configuration.secretKeys = [Secret("key")]
        configuration.environments = ["production"]
        configuration.trustStores["corp"] = .file("/etc/corp.pem")
        var administration = StubAdministration(
            configuration: configuration, understanding: .success(definition()))
        adjust(&administration)
        let (store, managing, lines) = (StubReadingStore(reading), StubManagingStore(managed), lines)
        let context = ServiceContext(
            store: store, managing: managing, administration: administration, pinFiles: files, rotation: rotation,
            listen: configuration.listen,
            publicURL: publicURL, version: "1.2.3", scan: { Configuration.ScanSettings() }, idna: StubIDNA(),
            clock: { now }, sha256: fakeDigest,
            certificateJSON: { ChainSample.json($0) }, ready: { nil }, metrics: { [] }, errorID: { "e-1" },
            log: { lines.add($0) })
        self.context = context
        self.store = store
        self.managing = managing
        self.administration = administration
        service = Service(context, files: StaticFiles())
    }

    /// Every route that the service has.
    var routes: [PinwatchHTTP.Route] {
        Resources.routes(context, Authentication(context), RequestMeter())
    }

    /// The answer to a request, its body of JSON if there is one.
    func answer(
        _ method: String, _ target: String, _ body: String? = nil, _ headers: [(String, String)] = []
    ) async -> Response {
        var all = [Request.Header("Host", "localhost:8080")] + headers.map { Request.Header($0.0, $0.1) }
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            all.append(Request.Header("Content-Type", "application/json"))
        }
        return await service.respond(
            to: Request(
                method: method, target: target, headers: all, body: Array((body ?? "").utf8),
                peer: address("127.0.0.1")))
    }
}

extension Response {
    /// The body as JSON; null where it is none.
    var json: JSON { (try? JSON(parsing: body)) ?? .null }

    /// What `errors` says of a field.
    func error(_ field: String) -> String? {
        guard case .array(let errors)? = json["errors"] else { return nil }
        let found = errors.first { $0["field"] == .string(field) }
        guard case .string(let message)? = found?["message"] else { return nil }
        return message
    }
}

/// A policy of one host, which nothing here judges by.
struct SamplePolicy: PinPolicy {
    var hosts: [PinnedHost] = [
        PinnedHost(pattern: "*.example.com", match: "leaf", pins: [.spki(text: "AAAA")], expires: now + 86_400)
    ]
    var configurationError: Verdict?
    init() {}
    init?(from node: Node, reader: inout NodeReader) { nil }
    func verdict(for presentation: Presentation) -> Verdict { Verdict(.unknown, code: "none", reason: "none") }
    var allPins: [Pin] { hosts.flatMap(\.pins) }
    func pins(for host: String, now: Instant) -> [Pin] { allPins }
    func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool { false }
    var expiries: [PinExpiry] { [] }
}

func definition(release: String = "5.2.0", policy: SamplePolicy = SamplePolicy()) -> PinSetDefinition {
    PinSetDefinition(
        identity: PinSetIdentity(app: "shop-ios", release: release, variant: .release, stack: "default"), share: 0.25,
        platform: nil, trustStore: nil, layers: [PinLayer(client: .generic, clientVersion: nil, policy: policy)],
        source: "pinwatch: 1", origin: "the API", managedBy: .api)
}
