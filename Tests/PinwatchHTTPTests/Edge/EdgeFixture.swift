import PinwatchCore
import Synchronization

@testable import PinwatchHTTP

/// What a service needs to sign somebody in, and nothing else.
struct EdgeAdministration: Administration {
    struct Unused: Error {}
    let sessions = Counter()

    func settings() async -> SettingsRecord {
        var configuration = Configuration(
            listen: ListenAddress(address: address("127.0.0.1"), port: 8080), database: "/nonexistent")
        configuration.environments = ["production", "staging"]
        return SettingsRecord(
            configuration: configuration, file: nil, loadedAt: PinwatchHTTPTests.now, restartNeeded: [])
    }
    func reload(_: Change) async throws -> ReloadReport { throw Unused() }
    func scan(_: Target, wait _: Duration) async throws -> [Observation]? { throw Unused() }
    func test(channel _: String) async throws -> Attempt { throw Unused() }
    func channelOutlooks() async -> [String: ChannelOutlook] { [:] }
    func pinSet(fromSource _: String) throws(TextFaults) -> PinSetDefinition { throw TextFaults([]) }
    func seal(_: ChannelDraft) throws(ChangeRefusal) -> (channel: StoredChannel, urlHash: [UInt8]) { throw .unknown }
    func newWebhookSecret() -> Secret { Secret("whsec_x") }
    func newToken() -> Secret { Secret("pw_x") }
    func newSessionID() -> Secret { Secret("session-\(sessions.next())") }
    var timeZones: any TimeZones { NoZones() }

    private struct NoZones: TimeZones {
        func offset(of _: String, at _: Instant) -> Int64? { nil }
    }
}

final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
    var count: Int { value.withLock { $0 } }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let value = Mutex(PinwatchHTTPTests.now)
    var now: Instant { value.withLock { $0 } }
    func pass(_ seconds: Int64) { value.withLock { $0 = $0 + seconds } }
}

/// A service with tokens `viewer`, `editor` and `admin`, whose texts are their names, and with sessions and events.
struct EdgeFixture {
    let reading: StubReadingStore
    let store = EdgeStore()
    let clock = TestClock()
    let lines = Lines()
    let hub = EventHub()
    let service: Service

    init(
        listen: String = "127.0.0.1", publicURL: String? = nil, proxies: [String] = [], tokens: Bool = true,
        access: @escaping @Sendable (AccessRecord) -> Void = { _ in }
    ) {
        var contents = StubReadingStore.Contents()
        if tokens {
            for (id, role) in Role.allCases.enumerated() {
                contents.tokens[fakeDigest(Array(role.rawValue.utf8))] = TokenRecord(
                    id: Int64(id + 1), name: role.rawValue, role: role, createdAt: now, expiresAt: nil, revokedAt: nil)
            }
        }
        let reading = StubReadingStore(contents)
        let (clock, lines, store) = (clock, lines, store)
        let made = contents.tokens
        store.change { $0.tokens = made }
        self.reading = reading
        var context = ServiceContext(
            store: reading, managing: store, administration: EdgeAdministration(), pinFiles: StubPinFiles(),
            rotation: StubRotationDesk(),
            listen: ListenAddress(address: address(listen), port: 8080), publicURL: publicURL,
            version: "1.2.3", scan: { Configuration.ScanSettings() }, idna: StubIDNA(), clock: { clock.now },
            sha256: fakeDigest, certificateJSON: { .object([("sha256", .string($0.fingerprint.hex))]) },
            ready: { nil }, metrics: { [] }, errorID: { "e-1" }, log: { lines.add($0) })
        context.trustedProxies = proxies.compactMap { IPNetwork($0) }
        context.hub = hub
        context.access = access
        service = Service(context, files: StaticFiles())
    }

    /// Changes a token in both stubs.
    func change(_ role: Role, _ body: @escaping @Sendable (inout TokenRecord) -> Void) {
        let key = fakeDigest(Array(role.rawValue.utf8))
        reading.change { if var token = $0.tokens[key] { body(&token); $0.tokens[key] = token } }
        store.change { if var token = $0.tokens[key] { body(&token); $0.tokens[key] = token } }
    }

    func answer(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: String = "",
        from peer: String? = "127.0.0.1", isSecure: Bool = false
    ) async -> Response {
        var all = headers.map { Request.Header($0.0, $0.1) }
        if !all.contains(where: { $0.name == "host" }) { all.append(Request.Header("Host", "localhost:8080")) }
        if !body.isEmpty, !all.contains(where: { $0.name == "content-type" }) {
            all.append(Request.Header("Content-Type", "application/json"))
        }
        return await service.respond(
            to: Request(
                method: method, target: target, headers: all, body: Array(body.utf8), peer: peer.map(address),
                isSecure: isSecure))
    }

    /// The `Cookie` header of a fresh session.
    func cookie(_ role: Role, isSecure: Bool = false) async -> (String, String) {
        let answer = await answer(
            "POST", "/api/v1/session", body: #"{"token":"\#(role.rawValue)"}"#, isSecure: isSecure)
        return ("Cookie", String(answer.header("Set-Cookie")?.prefix { $0 != ";" } ?? ""))
    }
}
