/// Android's network security configuration, which the platform's default trust manager enforces from API 24 on
/// (pin-semantics 4): any pin on any member of the built path, the anchor included, for the most specific domain.
///
/// A file that does not say which Android is asked about is judged as by API 24 or newer.
package struct AndroidNSCPolicy: PinPolicy {
    let file: NetworkSecurityFile
    /// `nil` takes the release's variant.
    let debuggable: Bool?
    let targetSDK: Int

    init(file: NetworkSecurityFile, debuggable: Bool? = nil, targetSDK: Int = 35) {
        self.file = file
        self.debuggable = debuggable
        self.targetSDK = targetSDK
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["xml", "file", "debuggable", "target_sdk"]) else {
            return nil
        }
        let file = NetworkSecurityFile(from: policy, reader: &reader)
        let debuggable = policy["debuggable"].flatMap { reader.flag($0, "debuggable") }
        let targetSDK = policy["target_sdk"].flatMap { reader.integer($0, "target_sdk", in: 1...1_000) }
        guard reader.problems.count == before, let file else { return nil }
        self.init(file: file, debuggable: debuggable, targetSDK: targetSDK ?? 35)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        switch file.content {
        case .refused(let verdict):
            if let elsewhere = presentation.release.notOnAndroid { return elsewhere }
            if let level = presentation.release.androidLevel, level < 24 {
                return NetworkSecurityRules.ignored(level, presentation)
            }
            return verdict
        case .config(let config):
            let verdict = NetworkSecurityRules(config: config, targetSDK: targetSDK, debuggable: debuggable)
                .verdict(for: presentation)
            return presentation.release.androidLevel == nil ? Self.assumed(verdict) : verdict
        }
    }

    private static func assumed(_ verdict: Verdict) -> Verdict {
        switch verdict.kind {
        case .accept, .rejectPin:
            verdict.noting(["Android 7.0 (API 24) or newer is assumed; older systems ignore the file and pin nothing"])
        case .acceptReport, .rejectChain, .unpinned, .configError, .notEvaluated, .dependsOnPath, .unknown: verdict
        }
    }

    package var configurationError: Verdict? {
        if let refusal = file.refusal { return refusal }
        guard debuggable == true, let config = file.config, case .refused(let fault) = config.debug else { return nil }
        return fault.verdict(in: "debug-overrides")
    }

    package func concerns(host: String) -> Bool {
        guard let config = file.config else { return true }
        return config.concerns(host: host)
    }

    package func patterns(covering host: String) -> [String] {
        file.config?.match(host).map { [$0.domain.name] } ?? []
    }

    package var hosts: [PinnedHost] { file.config?.hosts ?? [] }
    package var allPins: [Pin] { file.config?.allPins ?? [] }
    package var expiries: [PinExpiry] { file.config?.expiries ?? [] }
    package var readTexts: [PolicyText] { file.text.map { [$0] } ?? [] }

    package func pins(for host: String, now: Instant) -> [Pin] { file.config?.pins(for: host, now: now) ?? [] }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        NetworkSecurityRules.matches(pin, certificate)
    }
}

extension NetworkSecurityConfig {
    /// Hosts without a domain are concerned where the file changes what is trusted for all.
    func concerns(host: String) -> Bool {
        if match(host) != nil || nearMiss(host) != nil || base?.anchors != nil || host.hasPrefix(".") { return true }
        switch debug {
        case .missing, .read: return false
        case .refused: return true
        }
    }

    /// A domain each, with the pins that it comes to by inheritance.
    var hosts: [PinnedHost] {
        entries.enumerated().flatMap { index, entry in
            let set = pinSet(of: index)
            let pins = (set?.pins ?? []).map { Pin.spki(text: $0.text) }
            return entry.domains.map { domain in
                PinnedHost(
                    pattern: domain.name, match: "any_in_path", pins: pins, expires: set?.expires?.lastEverywhere)
            }
        }
    }

    /// How many pairs of a domain and a pin there are, counted without making them.
    var pairs: Int {
        entries.enumerated().reduce(0) { $0 + $1.element.domains.count * (pinSet(of: $1.offset)?.pins.count ?? 0) }
    }

    /// Those of every `<pin-set>`, once each.
    var allPins: [Pin] { entries.flatMap { ($0.pinSet?.pins ?? []).map { .spki(text: $0.text) } } }

    /// The last instants at which the pins hold in every time zone.
    var expiries: [PinExpiry] {
        entries.enumerated().flatMap { index, entry -> [PinExpiry] in
            guard let set = pinSet(of: index), !set.pins.isEmpty, let expires = set.expires else { return [] }
            return entry.domains.map { PinExpiry(at: expires.lastEverywhere, host: $0.name, localDay: expires.day) }
        }
    }

    /// Those that hold in some time zone at least.
    func pins(for host: String, now: Instant) -> [Pin] {
        guard let match = match(host), let set = pinSet(of: match.entry),
            set.expires.map({ now <= $0.lastAnywhere }) ?? true
        else { return [] }
        return set.pins.map { .spki(text: $0.text) }
    }
}
