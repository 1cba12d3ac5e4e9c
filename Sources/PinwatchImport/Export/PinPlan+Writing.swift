internal import PinwatchCore

extension PinPlan {
    /// The plan as a client's policy, with notes of what it cannot say; `nil` for a client that no policy is made for.
    mutating func policy(for client: Client) -> Node? {
        switch client {
        case .generic: return generic()
        case .okhttp: return okHttp()
        case .okhttp3: return okHttp(knowsDoubleStar: false)
        case .trustKitIOS: return trustKit()
        case .applePinnedDomains: return apple()
        case .androidNSC: return networkSecurity()
        case .trustKitAndroid: return networkSecurity()
        case .hpkp: return hpkp()
        case .curl, .wget: return commandLine()
        case .alamofire: return alamofire()
        case .alamofire4: return alamofire4()
        case .afnetworking: return afNetworking()
        case .urlSession: return urlSession()
        case .wultraIOS, .wultraAndroid: return wultra()
        case .ktorDarwin, .cronet, .rnSSLPinningIOS, .rnSSLPinningAndroid, .rnPublicKeyPinningIOS,
            .rnPublicKeyPinningAndroid, .httpCertificatePinning, .dartSecurityContext, .cordovaAdvancedHTTPIOS,
            .cordovaAdvancedHTTPAndroid, .dotnetCallback:
            return nil
        }
    }

    /// Pins that a client of keys' hashes can hold; the others are left out and named.
    mutating func keys(_ entry: Entry) -> [Node] {
        let kept = entry.pins.filter { PinNotation.isSPKI(.text($0, .start)) }
        for pin in entry.pins where !kept.contains(pin) {
            note("\(pin) of \(entry.host) is left out: this client compares SHA-256 hashes of keys")
        }
        return kept.map { .text($0, .start) }
    }

    mutating func noteExpiry(_ entry: Entry) {
        guard let expires = entry.expires else { return }
        note("the pins of \(entry.host) end on \(expires), which this client cannot say: they stay in force")
    }

    /// A client of exact names cannot cover what lies below.
    mutating func noteExact(_ entry: Entry) {
        guard entry.scope.includesBelow else { return }
        note("names below \(entry.host) are not covered: this client compares hosts letter for letter; list each")
    }

    mutating func noteAnywhere(_ entry: Entry) {
        switch entry.place {
        case .anywhere: return
        case .leaf:
            note("the pins of \(entry.host) are meant for the leaf; this client takes any certificate of the path")
        case .issuers:
            note("the pins of \(entry.host) are meant for issuers; this client takes any certificate of the path")
        }
    }

    private mutating func generic() -> Node {
        let hosts = entries.map { entry -> Node in
            if entry.scope == .withAllBelow || entry.scope == .withOneLabelBelow {
                note("names below \(entry.host) have an entry of their own, which covers one more label")
            }
            let pins = Node.list(entry.pins.map { .text($0, .start) }, .start)
            return .mapping(
                [
                    ("host", .text((entry.scope == .oneLabelBelow ? "*." : "") + entry.host, .start)),
                    ("match", entry.place == .leaf ? .word("leaf", .start) : nil), ("pins", pins),
                    ("expires", entry.expires.map { .text($0, .start) }),
                ], .start)
        }
        return .mapping([("hosts", .list(hosts, .start))], .start)
    }

    private mutating func okHttp(knowsDoubleStar: Bool = true) -> Node {
        var items: [Node] = []
        for entry in entries {
            noteExpiry(entry)
            noteAnywhere(entry)
            let pins = entry.pins.filter { !$0.hasPrefix("cert-") && !$0.hasPrefix("file:") }.map {
                Node.text($0, .start)
            }
            if pins.count < entry.pins.count {
                note("pins of certificates are left out for \(entry.host): OkHttp compares keys")
            }
            for pattern in patterns(entry, knowsDoubleStar) {
                items.append(
                    .mapping([("pattern", .text(pattern, .start)), ("pins", .list(pins, .start))], .start))
            }
        }
        return .mapping([("pins", .list(items, .start))], .start)
    }

    private mutating func patterns(_ entry: Entry, _ knowsDoubleStar: Bool) -> [String] {
        switch entry.scope {
        case .exact: return [entry.host]
        case .oneLabelBelow: return ["*." + entry.host]
        case .withOneLabelBelow: return [entry.host, "*." + entry.host]
        case .withAllBelow where knowsDoubleStar: return ["**." + entry.host]
        case .withAllBelow:
            note("OkHttp below 4.3 has no **.: two labels and more below \(entry.host) are not pinned")
            return [entry.host, "*." + entry.host]
        }
    }

    private mutating func networkSecurity() -> Node {
        let kept = entries.map { entry -> Entry in
            noteAnywhere(entry)
            if entry.scope == .oneLabelBelow || entry.scope == .withOneLabelBelow {
                note("includeSubdomains covers \(entry.host) and all names below it, which is more than was asked for")
            }
            return entry.with(place: .anywhere, pins: keys(entry).compactMap(\.scalar))
        }
        return NetworkSecurityConfig.policy(kept)
    }

    private mutating func hpkp() -> Node {
        let hosts = entries.map { entry -> Node in
            noteExpiry(entry)
            noteAnywhere(entry)
            if entry.scope == .oneLabelBelow || entry.scope == .withOneLabelBelow {
                note("includeSubDomains covers \(entry.host) and all names below it, which is more than was asked for")
            }
            return .mapping(
                [
                    ("host", .text(entry.host, .start)), ("pins", .list(keys(entry), .start)),
                    ("include_subdomains", entry.scope.includesBelow ? .flag(true, .start) : nil),
                    ("max_age", .number("5184000", .start)),
                    ("report_only", entry.effect == .reported ? .flag(true, .start) : nil),
                ], .start)
        }
        return .mapping([("hosts", .list(hosts, .start))], .start)
    }

    private mutating func commandLine() -> Node {
        if entries.count > 1 { note("one value binds all hosts of a transfer: write a command for each host") }
        var pins: [String] = []
        for entry in entries {
            noteExpiry(entry)
            if entry.place != .leaf { note("only pins of the leaf's key can match; those of issuers never do") }
            for node in keys(entry) {
                // Both programs compare the padded text.
                let text = "sha256//" + (PinNotation.spki(node)?.base64 ?? PinNotation.raw(node))
                if !pins.contains(text) { pins.append(text) }
            }
        }
        return .mapping([("pinnedpubkey", .text(pins.joined(separator: ";"), .start))], .start)
    }

    /// Certificates alone can be listed, and when an entry ends must be known.
    private mutating func wultra() -> Node? {
        var items: [Node] = []
        for entry in entries {
            guard let ends = entry.expires.flatMap({ Instant(day: $0) }) else {
                note("\(entry.host) is left out: a Wultra entry needs an end")
                continue
            }
            for pin in entry.pins {
                guard pin.hasPrefix("cert-sha256:"),
                    let digest = SHA256Digest(hex: pin.dropFirst(12).filter { $0 != ":" })
                else {
                    note("\(pin) of \(entry.host) is left out: Wultra pins whole certificates")
                    continue
                }
                items.append(
                    .mapping(
                        [
                            ("name", .text(entry.host, .start)), ("fingerprint", .text(digest.base64, .start)),
                            ("expires", .number(String(ends.unixSeconds), .start)),
                        ], .start))
            }
        }
        return items.isEmpty ? nil : .mapping([("fingerprints", .list(items, .start))], .start)
    }
}
