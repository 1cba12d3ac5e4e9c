/// One layer as rules see it.
struct LintedLayer {
    /// The most entries that are looked at one by one: each is held against all others.
    static let hostLimit = 500
    /// The most pins of those entries together: a policy may compare each with all that it holds.
    static let pinLimit = 1_000

    let layer: PinLayer
    let facts: LintFacts
    /// Entries with pins; those of one host and one list are together.
    let entries: [LintedEntry]
    /// The names of entries, of those without pins too, as the policy writes them.
    let names: [(pattern: String, isPinned: Bool)]
    let isCut: Bool
    let probe: PinProbe
    /// Why the client cannot load it.
    let error: Verdict?

    var policy: any PinPolicy { layer.policy }

    init(layer: PinLayer, facts: LintFacts) {
        self.layer = layer
        self.facts = facts
        let hosts = layer.policy.hosts
        var (kept, names): ([PinnedHost], [(pattern: String, isPinned: Bool)]) = ([], [])
        var (pins, bare) = (0, 0)
        for host in hosts {
            if host.pins.isEmpty { bare += 1 } else { pins += host.pins.count }
            let isPinned = !host.pins.isEmpty
            guard isPinned ? kept.count < Self.hostLimit && pins <= Self.pinLimit : bare <= Self.hostLimit else {
                continue
            }
            if isPinned { kept.append(host) }
            names.append((host.pattern, isPinned))
        }
        self.names = names
        isCut = hosts.count > names.count
        entries = LintedEntry.all(kept, of: layer)
        probe = PinProbe(policy: layer.policy)
        error = layer.policy.configurationError
    }

    /// Whether a host has pins, whatever their date.
    func pins(_ host: String) -> Bool { !policy.pins(for: host, now: .beforePins).isEmpty }
}

/// The entries of one host that are held against the same certificates, with what the client unites with them.
struct LintedEntry {
    /// As the policy writes it; what stands for every host where it names none.
    let name: String
    /// The same for the start of a sentence.
    let subject: String
    /// The entry as its file writes it; `nil` where it names no host.
    let host: String?
    /// Its own, in file order, as often as they are written.
    let pins: [Pin]
    /// Those that the client holds against the host's certificates, with those of other entries that cover it.
    let inForce: [Pin]
    let match: String
    let expires: Instant?
    private let client: Client

    static func all(_ hosts: [PinnedHost], of layer: PinLayer) -> [LintedEntry] {
        struct Key: Hashable {
            let pattern: String
            let match: String
        }
        var (order, groups): ([Key], [Key: [PinnedHost]]) = ([], [:])
        // A list of its own, such as that of authorities, wants a match of its own.
        var lists: [String: Set<Pin>] = [:]
        for host in hosts {
            let key = Key(pattern: host.pattern, match: host.match)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(host)
            lists[host.match, default: []].formUnion(host.pins)
        }
        return order.map { key in
            let own = groups[key] ?? []
            let pins = own.flatMap(\.pins)
            let list = lists[key.match] ?? []
            // Below a wildcard one name stands for all.
            let asked = key.pattern.contains("*") ? "pinwatch-asks." + HostLint.base(of: key.pattern) : key.pattern
            let inForce = layer.policy.pins(for: asked, now: .beforePins).filter(list.contains)
            return LintedEntry(
                key.pattern, of: layer, pins: pins, inForce: inForce.isEmpty ? pins : inForce, match: key.match,
                expires: own.allSatisfy { $0.expires != nil } ? own.compactMap(\.expires).max() : nil)
        }
    }

    private init(
        _ pattern: String, of layer: PinLayer, pins: [Pin], inForce: [Pin], match: String, expires: Instant?
    ) {
        let isForAll = pattern == "*" && !layer.policy.namesHosts
        name = isForAll ? ([.curl, .wget].contains(layer.client) ? "the command" : "the session") : pattern
        subject = isForAll ? name.capitalizedFirst : pattern
        host = isForAll ? nil : pattern
        (self.pins, self.inForce, self.match, self.expires) = (pins, inForce, match, expires)
        client = layer.client
    }

    /// A pin as the app's own file has it: where that is bare base64, a prefix that was pasted along is not doubled.
    func written(_ pin: Pin) -> String {
        guard case .spki(let text) = pin, text.hasPrefix("sha256/"), client.takesBareHashes else { return pin.text }
        return text
    }
}

extension Client {
    /// Whether its own files hold hashes without a prefix.
    fileprivate var takesBareHashes: Bool {
        switch self {
        case .trustKitIOS, .trustKitAndroid, .applePinnedDomains, .androidNSC, .hpkp, .rnPublicKeyPinningIOS,
            .rnPublicKeyPinningAndroid, .wultraIOS, .wultraAndroid, .httpCertificatePinning, .urlSession,
            .dotnetCallback, .cronet:
            true
        case .generic, .alamofire, .alamofire4, .okhttp, .okhttp3, .ktorDarwin, .curl, .wget, .afnetworking,
            .rnSSLPinningIOS, .rnSSLPinningAndroid, .dartSecurityContext, .cordovaAdvancedHTTPIOS,
            .cordovaAdvancedHTTPAndroid:
            false
        }
    }
}
