internal import PinwatchCore

extension PinPlan {
    /// A client's policy as a plan; `nil` for a client whose policy names no pins that others could hold.
    init?(_ layer: NativeLayer) {
        let policy = layer.policy
        switch layer.client {
        case .generic: self.init(entries: Self.generic(policy))
        case .okhttp, .okhttp3, .ktorDarwin: self.init(entries: Self.patterns(policy))
        case .trustKitIOS: self.init(entries: Self.trustKit(policy))
        case .applePinnedDomains: self.init(entries: Self.apple(policy))
        case .androidNSC, .trustKitAndroid:
            guard let entries = Self.networkSecurity(policy) else { return nil }
            self.init(entries: entries)
        case .hpkp: self.init(entries: Self.hpkp(policy))
        case .curl, .wget: self.init(entries: Self.commandLine(policy))
        case .alamofire: self.init(entries: Self.hosts(policy["evaluators"]))
        case .alamofire4: self.init(entries: Self.hosts(policy["policies"]))
        case .urlSession: self.init(entries: Self.hosts(policy["hosts"]))
        case .afnetworking: self.init(entries: [Self.entry("", pins: policy["pins"])])
        case .wultraIOS, .wultraAndroid: self.init(entries: Self.wultra(policy))
        case .cronet, .rnSSLPinningIOS, .rnSSLPinningAndroid, .rnPublicKeyPinningIOS, .rnPublicKeyPinningAndroid,
            .httpCertificatePinning, .dartSecurityContext, .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid,
            .dotnetCallback:
            return nil
        }
    }

    private static func entry(
        _ host: String, _ scope: Scope = .exact, _ place: Place = .anywhere, pins: Node?, expires: Node? = nil
    ) -> Entry {
        Entry(
            host: host, scope: scope, place: place, pins: (pins?.items ?? []).compactMap(\.scalar),
            expires: expires?.scalar)
    }

    private static func generic(_ policy: Node) -> [Entry] {
        (policy["hosts"]?.items ?? []).map { entry in
            let (host, scope) = split(entry["host"]?.scalar ?? "")
            let place: Place = entry["match"]?.scalar == "leaf" ? .leaf : .anywhere
            return self.entry(host, scope, place, pins: entry["pins"], expires: entry["expires"])
        }
    }

    private static func patterns(_ policy: Node) -> [Entry] {
        (policy["pins"]?.items ?? []).map { entry in
            let (host, scope) = split(entry["pattern"]?.scalar ?? "")
            return self.entry(host, scope, pins: entry["pins"])
        }
    }

    /// `*.host` and `**.host`.
    private static func split(_ pattern: String) -> (host: String, scope: Scope) {
        if pattern.hasPrefix("**.") { return (String(pattern.dropFirst(3)), .withAllBelow) }
        if pattern.hasPrefix("*.") { return (String(pattern.dropFirst(2)), .oneLabelBelow) }
        return (pattern, .exact)
    }

    private static func trustKit(_ policy: Node) -> [Entry] {
        (policy["domains"]?.members ?? []).compactMap { domain in
            guard let pins = domain.value["public_key_hashes"] else { return nil }
            let includes = domain.value["include_subdomains"]?.flag == true
            return entry(
                domain.key, includes ? .withAllBelow : .exact, pins: pins, expires: domain.value["expiration_date"])
        }
    }

    private static func apple(_ policy: Node) -> [Entry] {
        (policy["domains"]?.members ?? []).flatMap { domain in
            let scope: Scope = domain.value["includes_subdomains"]?.flag == true ? .withOneLabelBelow : .exact
            let lists: [(Place, Node?)] = [
                (.leaf, domain.value["leaf_identities"]), (.issuers, domain.value["ca_identities"]),
            ]
            return lists.compactMap { place, pins in pins.map { entry(domain.key, scope, place, pins: $0) } }
        }
    }

    /// Pins that a domain-config inherits are its own here, as Android would have them.
    private static func networkSecurity(_ policy: Node) -> [Entry]? {
        guard let xml = policy["xml"]?.scalar, let root = try? XMLReader.root(of: xml) else { return nil }
        return root.elements.flatMap { configured($0, inherited: nil) }
    }

    private static func configured(_ element: XMLElement, inherited: XMLElement?) -> [Entry] {
        guard element.name == "domain-config" else { return [] }
        let set = element.elements.first { $0.name == "pin-set" } ?? inherited
        let pins = (set?.elements ?? []).filter { $0.name == "pin" }
            .map { $0.text.filter { !$0.isWhitespace } }
        let own = element.elements.filter { $0.name == "domain" && !pins.isEmpty }.map { domain in
            Entry(
                host: domain.text.trimmed,
                scope: domain[attribute: "includeSubdomains"] == "true" ? .withAllBelow : .exact,
                place: .anywhere, pins: pins, expires: set?[attribute: "expiration"])
        }
        return own + element.elements.flatMap { configured($0, inherited: set) }
    }

    private static func hpkp(_ policy: Node) -> [Entry] {
        (policy["hosts"]?.items ?? []).map { entry in
            let includes = entry["include_subdomains"]?.flag == true
            return self.entry(entry["host"]?.scalar ?? "", includes ? .withAllBelow : .exact, pins: entry["pins"])
        }
    }

    private static func commandLine(_ policy: Node) -> [Entry] {
        let pins = (policy["pinnedpubkey"]?.scalar ?? "").split(separator: ";").filter { $0.hasPrefix("sha256//") }
        return [
            Entry(host: "", scope: .exact, place: .leaf, pins: pins.map { "sha256/" + $0.dropFirst(8) }, expires: nil)
        ]
    }

    private static func hosts(_ node: Node?) -> [Entry] {
        (node?.members ?? []).map { host in
            Entry(
                host: host.key, scope: .exact, place: host.value["match"]?.scalar == "leaf" ? .leaf : .anywhere,
                pins: pins(host.value), expires: nil)
        }
    }

    private static func pins(_ node: Node) -> [String] {
        (node["pins"]?.items ?? []).compactMap(\.scalar) + (node["evaluators"]?.items ?? []).flatMap(pins)
    }

    private static func wultra(_ policy: Node) -> [Entry] {
        (policy["fingerprints"]?.items ?? []).compactMap { entry in
            guard let name = entry["name"]?.scalar,
                let digest = entry["fingerprint"]?.scalar.flatMap({ PinText.sha256($0) })
            else { return nil }
            return Entry(host: name, scope: .exact, place: .leaf, pins: ["cert-sha256:" + digest.hex], expires: nil)
        }
    }
}
