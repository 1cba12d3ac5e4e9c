import PinwatchCore

/// A client with rules simple enough to see through: pins are `cert-sha256` or SPKI texts of certificates on a path.
struct StubPolicy: PinPolicy {
    var pinsByHost: [String: [Pin]]
    var reportsOnly = false
    var expiries: [PinExpiry] = []
    /// Overrides every verdict.
    var always: Verdict?
    var configurationError: Verdict?
    var readTexts: [PolicyText] = []
    var namesHosts = true
    var hosts: [PinnedHost] = []

    init(
        _ pinsByHost: [String: [Pin]], reportsOnly: Bool = false, expiries: [PinExpiry] = [],
        always: Verdict? = nil, configurationError: Verdict? = nil
    ) {
        self.pinsByHost = pinsByHost
        self.reportsOnly = reportsOnly
        self.expiries = expiries
        self.always = always
        self.configurationError = configurationError
    }

    init?(from node: Node, reader: inout NodeReader) { nil }

    var allPins: [Pin] { pinsByHost.sorted { $0.key < $1.key }.flatMap(\.value) }

    func pins(for host: String, now: Instant) -> [Pin] { pinsByHost[host] ?? [] }

    func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki?.base64 == text
        case .certificate(let digest): certificate.fingerprint == digest
        case .spkiSHA1, .file: false
        }
    }

    func verdict(for presentation: Presentation) -> Verdict {
        if let always { return always }
        guard presentation.verification.valid, presentation.verification.hostMatches else {
            return Verdict(.rejectChain, code: "no_path", reason: presentation.verification.reason)
        }
        guard let pins = pinsByHost[presentation.host] else {
            return Verdict(.unpinned, by: .design, code: "host_not_listed", reason: "not listed")
        }
        let members = presentation.verification.paths.flatMap(\.members)
        if pins.contains(where: { pin in members.contains { self.pin(pin, matches: $0) } }) {
            return Verdict(.accept, code: "pin_matched", reason: "matched")
        }
        return Verdict(reportsOnly ? .acceptReport : .rejectPin, code: "no_pin_matched", reason: "no pin matched")
    }
}
