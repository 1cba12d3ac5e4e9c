import PinwatchCore

@testable import PinwatchStore

/// Reads what ``pinDefinition(_:pins:source:managedBy:)`` wrote: the app, and the keys that it pins for a host.
let readPins: PinSetReader = { (source: String) throws(TextFaults) -> PinSetDefinition in
    let parts = source.split(separator: " ").map(String.init)
    guard parts.count >= 2 else {
        throw TextFaults([Problem(file: "source", mark: nil, message: "`\(source)` names no app and host")])
    }
    return pinDefinition(parts[0], host: parts[1], keys: parts.dropFirst(2).compactMap { UInt8($0) }, managedBy: .api)
}

/// A release that pins keys, as ``key(_:)`` numbers them, for one host.
func pinDefinition(
    _ app: String, host: String = "api.example.com", keys: [UInt8], share: Double? = nil, managedBy: ManagedBy = .api
) -> PinSetDefinition {
    let source = ([app, host] + keys.map { String($0) }).joined(separator: " ")
    let policy = KeyPolicy(host: host, pins: keys.map { .spki(text: key($0).base64) })
    return PinSetDefinition(
        identity: PinSetIdentity(app: app, release: "1", variant: .release, stack: "default"), share: share,
        platform: Platform(system: .ios, version: nil), trustStore: nil,
        layers: [PinLayer(client: .generic, clientVersion: nil, policy: policy)], source: source,
        origin: "api", managedBy: managedBy)
}

/// Pins of one host, or of all by `*`, that hold against the leaf.
struct KeyPolicy: PinPolicy {
    let host: String
    let pins: [Pin]
    var allPins: [Pin] { pins }
    var hosts: [PinnedHost] { [PinnedHost(pattern: host, match: "leaf", pins: pins, expires: nil)] }
    var expiries: [PinExpiry] { [] }
    init(host: String, pins: [Pin]) {
        self.host = host
        self.pins = pins
    }
    init?(from node: Node, reader: inout NodeReader) { nil }
    func concerns(host: String) -> Bool { self.host == "*" || host == self.host }
    func pins(for host: String, now: Instant) -> [Pin] { concerns(host: host) ? pins : [] }
    func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        certificate.spki.map { pin == .spki(text: $0.base64) } ?? false
    }
    func verdict(for presentation: Presentation) -> Verdict {
        guard concerns(host: presentation.host) else {
            return Verdict(.unpinned, by: .design, code: "host_not_listed", reason: "no entry")
        }
        let leaf = presentation.assessment.leaf
        let holds = pins.contains { pin in leaf.map { self.pin(pin, matches: $0) } ?? false }
        return Verdict(holds ? .accept : .rejectPin, code: holds ? "ok" : "no_match", reason: "by the leaf's key")
    }
}
