import PinwatchCore
import Synchronization

@testable import PinwatchHTTP

/// Monday 2026-11-30, noon.
let now = Instant(unixSeconds: 1_796_040_000)

/// 32 bytes that depend on all of the input: no SHA-256, which belongs to another room, but told apart as well here.
func fakeDigest(_ bytes: [UInt8]) -> SHA256Digest {
    var words: [UInt64] = [0xCBF2_9CE4_8422_2325, 1, 2, 3]
    for byte in bytes {
        for index in words.indices {
            words[index] = (words[index] ^ UInt64(byte)) &* (0x100_0000_01B3 + UInt64(index) * 2)
        }
    }
    let all = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    return SHA256Digest(all) ?? digest(0)
}

/// A digest of 32 equal bytes.
func digest(_ byte: UInt8) -> SHA256Digest {
    guard let digest = SHA256Digest([UInt8](repeating: byte, count: 32)) else { fatalError("32 bytes are a digest") }
    return digest
}

func address(_ text: String) -> IPAddress {
    guard let address = IPAddress(text) else { fatalError("\(text) is no address") }
    return address
}

struct StubIDNA: IDNA {
    func ascii(_ name: String) throws(HostProblem) -> String { name }
    func unicode(_ name: HostName) -> String { name.ascii == "xn--bcher-kva.example" ? "bücher.example" : name.ascii }
}

/// What a service under test wrote to its log.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// A service over a stub store, on loopback unless a test says otherwise.
struct Fixture {
    let store: StubReadingStore
    let lines = Lines()
    let service: Service

    init(
        _ contents: StubReadingStore.Contents = .init(), listen: String = "127.0.0.1", publicURL: String? = nil,
        ready: String? = nil, files: StaticFiles = StaticFiles(), metrics: [MetricFamily] = []
    ) {
        let store = StubReadingStore(contents)
        self.store = store
        let lines = lines
        service = Service(
            ServiceContext(
                store: store, managing: StubManagingStore(.init()), administration: EdgeAdministration(),
                pinFiles: StubPinFiles(),
                rotation: StubRotationDesk(),
                listen: ListenAddress(address: address(listen), port: 8080), publicURL: publicURL,
                version: "1.2.3", scan: { Configuration.ScanSettings() }, idna: StubIDNA(), clock: { now },
                sha256: fakeDigest, certificateJSON: { .object([("sha256", .string($0.fingerprint.hex))]) },
                ready: { ready }, metrics: { metrics }, errorID: { "e-1" }, log: { lines.add($0) }),
            files: files)
    }

    /// The answer to a request with a good `Host`, unless `headers` hold one.
    func answer(_ target: String, method: String = "GET", _ headers: [(String, String)] = []) async -> Response {
        var all = headers.map { Request.Header($0.0, $0.1) }
        if !all.contains(where: { $0.name == "host" }) { all.append(Request.Header("Host", "localhost:8080")) }
        return await service.respond(to: Request(method: method, target: target, headers: all))
    }
}

extension Response {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A target as lists hold it.
func targetRecord(id: Int64 = 1, host: String = "api.example.com", scanned: Instant? = now) -> TargetRecord {
    let name = HostName(checked: host)
    let identity = TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil)
    let target = Target(id: TargetID(id), settings: TargetSettings(identity: identity, labels: ["b": "2", "a": "1"]))
    return TargetRecord(
        target: target, condition: scanned == nil ? .unknown : .ok, stale: false, lastScanAt: scanned,
        openFindings: FindingCounts(critical: 0, warning: 1, info: 2),
        leaf: scanned.map { _ in .init(fingerprint: digest(1), spki: digest(2), subject: "CN=x", notAfter: now + 86_400)
        })
}
