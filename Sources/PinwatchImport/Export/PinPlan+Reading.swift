internal import PinwatchCore

extension PinPlan {
    /// A client's policy as a plan; `nil` for a client whose policy names no pins that others could hold.
    init?(_ layer: NativeLayer) {
        self.init(entries: [], source: layer.client)
        let policy = layer.policy
        switch layer.client {
        case .generic: entries = Self.generic(policy)
        case .okhttp, .okhttp3, .ktorDarwin: readPatterns(policy, layer)
        case .trustKitIOS: readTrustKit(policy)
        case .applePinnedDomains: readApple(policy)
        case .androidNSC, .trustKitAndroid: guard readNetworkSecurity(policy) else { return nil }
        case .hpkp: readHPKP(policy)
        case .curl, .wget: readCommandLine(policy)
        case .alamofire: readAlamofire(policy)
        case .alamofire4: readAlamofire4(policy)
        case .urlSession: readURLSession(policy)
        case .afnetworking: readAFNetworking(policy)
        case .wultraIOS, .wultraAndroid: readWultra(policy)
        case .cronet, .rnSSLPinningIOS, .rnSSLPinningAndroid, .rnPublicKeyPinningIOS, .rnPublicKeyPinningAndroid,
            .httpCertificatePinning, .dartSecurityContext, .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid,
            .dotnetCallback:
            return nil
        }
    }

    static func entry(
        _ host: String, _ scope: Scope = .exact, _ place: Place = .anywhere, pins: Node?, expires: Node? = nil,
        effect: Effect = .refused
    ) -> Entry {
        Entry(
            host: host, scope: scope, place: place, pins: (pins?.items ?? []).compactMap(\.scalar),
            expires: expires?.scalar, effect: effect)
    }

    private static func generic(_ policy: Node) -> [Entry] {
        (policy["hosts"]?.items ?? []).map { entry in
            let (host, scope) = split(entry["host"]?.scalar ?? "")
            let place: Place = entry["match"]?.scalar == "leaf" ? .leaf : .anywhere
            return self.entry(host, scope, place, pins: entry["pins"], expires: entry["expires"])
        }
    }

    private mutating func readPatterns(_ policy: Node, _ layer: NativeLayer) {
        let items = policy["pins"]?.items ?? []
        entries = items.map { entry in
            let (host, scope) = Self.split(entry["pattern"]?.scalar ?? "")
            return Self.entry(host, scope, pins: entry["pins"])
        }
        if layer.client == .ktorDarwin {
            // Its patterns say only whether a host is pinned; the pins of all are held against each.
            let all = entries.flatMap(\.pins).once
            if entries.count * all.count <= 20_000 {
                entries = entries.map { $0.with(pins: all) }
            } else {
                note("\(word) takes every pin for every host that a pattern covers, and here each host takes its own")
            }
        } else if layer.client == .okhttp3 {
            for entry in entries where entry.scope == .withAllBelow {
                note("**.\(entry.host) is left out: OkHttp below 4.3 takes it for a name, so no host comes to it")
            }
            entries = entries.filter { $0.scope != .withAllBelow }
        }
        if policy["accepted_issuers"]?.scalar == "none" {
            note("the trust manager of \(word) names no issuers, so it refuses pinned hosts; here the system decides")
        }
    }

    /// `*.host` and `**.host`.
    private static func split(_ pattern: String) -> (host: String, scope: Scope) {
        if pattern.hasPrefix("**.") { return (String(pattern.dropFirst(3)), .withAllBelow) }
        if pattern.hasPrefix("*.") { return (String(pattern.dropFirst(2)), .oneLabelBelow) }
        return (pattern, .exact)
    }

    private mutating func readHPKP(_ policy: Node) {
        for entry in policy["hosts"]?.items ?? [] {
            let host = entry["host"]?.scalar ?? ""
            let scope: Scope = entry["include_subdomains"]?.flag == true ? .withAllBelow : .exact
            let age = entry["max_age"]?.scalar.flatMap { Int($0) }
            let pins = entry["pins"]?.items ?? []
            guard age != 0 else {
                entries.append(Self.entry(host, scope, pins: nil, effect: .exempt))
                note("max-age=0 takes the pins of \(host) back, so none are written for it")
                continue
            }
            let isReported = entry["report_only"]?.flag == true
            entries.append(Self.entry(host, scope, pins: entry["pins"], effect: isReported ? .reported : .refused))
            if Set(pins.map(PinNotation.raw)).count < 2 {
                note("user agents note no single pin, so \(host) is not pinned by \(word), and is here")
            } else if let age {
                note("by \(word) the pins of \(host) end \(age) seconds after a visit; here they stay in force")
            }
        }
    }

    private mutating func readCommandLine(_ policy: Node) {
        let parts = (policy["pinnedpubkey"]?.scalar ?? "").split(separator: ";")
        for part in parts where !part.hasPrefix("sha256//") { note("\(part.prefix(200)) is left out: it is no pin") }
        let pins = parts.filter { $0.hasPrefix("sha256//") }.map { "sha256/" + $0.dropFirst(8) }
        entries = [Entry(host: "", scope: .exact, place: .leaf, pins: pins, expires: nil)]
    }

    private mutating func readWultra(_ policy: Node) {
        entries = (policy["fingerprints"]?.items ?? []).compactMap { entry in
            guard let name = entry["name"]?.scalar,
                let digest = entry["fingerprint"]?.scalar.flatMap({ PinText.sha256($0) })
            else { return nil }
            let end = entry["expires"]?.scalar.flatMap { Int64($0) }.flatMap { Instant(unixSeconds: $0).rfc3339 }
            return Entry(
                host: name, scope: .exact, place: .leaf, pins: ["cert-sha256:" + digest.hex],
                expires: end.map { String($0.prefix(10)) })
        }
    }
}
