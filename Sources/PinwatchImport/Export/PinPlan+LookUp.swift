internal import PinwatchCore

extension PinPlan {
    /// How a client comes from a host to its pins.
    enum LookUp {
        /// The entry of that very name.
        case exact
        /// One entry: the exact one, else the nearest above it.
        case nearest
        /// Every entry that covers it.
        case all
        /// The same pins for every host.
        case everyHost
    }
}

extension Client {
    var lookUp: PinPlan.LookUp {
        switch self {
        case .alamofire, .alamofire4, .urlSession, .wultraIOS, .wultraAndroid, .httpCertificatePinning,
            .rnSSLPinningAndroid, .dotnetCallback:
            .exact
        case .generic, .trustKitIOS, .trustKitAndroid, .androidNSC, .hpkp, .cronet, .rnPublicKeyPinningIOS: .nearest
        case .okhttp, .okhttp3, .ktorDarwin, .applePinnedDomains, .rnPublicKeyPinningAndroid: .all
        case .curl, .wget, .afnetworking, .rnSSLPinningIOS, .dartSecurityContext, .cordovaAdvancedHTTPIOS,
            .cordovaAdvancedHTTPAndroid:
            .everyHost
        }
    }

    /// Whether a host must be spelled as the client's own stack has it, in lower case.
    var mindsCase: Bool {
        switch self {
        case .alamofire, .alamofire4, .urlSession, .trustKitIOS, .trustKitAndroid, .wultraIOS, .wultraAndroid,
            .dotnetCallback, .rnPublicKeyPinningIOS:
            true
        case .generic, .androidNSC, .hpkp, .cronet, .okhttp, .okhttp3, .ktorDarwin, .applePinnedDomains,
            .rnPublicKeyPinningAndroid, .curl, .wget, .afnetworking, .rnSSLPinningIOS, .rnSSLPinningAndroid,
            .dartSecurityContext, .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid, .httpCertificatePinning:
            false
        }
    }

    /// Whether its format has one place for a host and the names below it.
    var hasOneEntryForAHost: Bool {
        switch lookUp {
        case .exact: self != .wultraIOS && self != .wultraAndroid
        case .nearest: self != .generic
        case .all: self == .applePinnedDomains
        case .everyHost: false
        }
    }

    /// Whether its format can except a host, and the names below it, from what covers them.
    var canExempt: (host: Bool, below: Bool) {
        switch self {
        case .androidNSC, .trustKitAndroid: (true, true)
        case .trustKitIOS: (true, false)
        case .generic, .alamofire, .alamofire4, .applePinnedDomains, .okhttp, .okhttp3, .ktorDarwin, .cronet,
            .wultraIOS, .wultraAndroid, .curl, .wget, .afnetworking, .urlSession, .rnSSLPinningIOS,
            .rnSSLPinningAndroid, .rnPublicKeyPinningIOS, .rnPublicKeyPinningAndroid, .httpCertificatePinning,
            .dartSecurityContext, .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid, .dotnetCallback, .hpkp:
            (false, false)
        }
    }

    /// Whether its format can have a mismatch reported and let through.
    var canReport: Bool { self == .trustKitIOS || self == .hpkp }
}

extension PinPlan.Entry {
    /// Whether the host itself is among its names.
    var includesItself: Bool { scope != .oneLabelBelow }

    func covers(_ name: String) -> Bool {
        switch scope {
        case .exact: name == host
        case .oneLabelBelow: PinPlan.parent(of: name) == host
        case .withOneLabelBelow: name == host || PinPlan.parent(of: name) == host
        case .withAllBelow: name == host || name.hasSuffix("." + host)
        }
    }

    /// Whether each name of another entry is its own too.
    func coversAll(of other: Self) -> Bool {
        switch other.scope {
        case .exact: covers(other.host)
        case .oneLabelBelow: other.host == host && scope.includesBelow || isAllAbove(other)
        case .withOneLabelBelow:
            other.host == host && (scope == .withOneLabelBelow || scope == .withAllBelow) || isAllAbove(other)
        case .withAllBelow: isAllAbove(other)
        }
    }

    private func isAllAbove(_ other: Self) -> Bool { scope == .withAllBelow && covers(other.host) }
}

extension PinPlan {
    /// What follows the leftmost label; `nil` for a single one and for addresses.
    static func parent(of name: String) -> String? {
        guard IPAddress(name) == nil, let dot = name.firstIndex(of: ".") else { return nil }
        return String(name[name.index(after: dot)...])
    }

    /// For each entry the places of the others of its own host and of those above it. Entries of one host are few, for
    /// they have been gathered.
    func placesAround() -> (PinPlan.Entry) -> [Int] {
        var places: [String: [Int]] = [:]
        for (index, entry) in entries.enumerated() { places[entry.host, default: []].append(index) }
        return { entry in
            var (found, name): ([Int], String?) = ([], entry.host)
            for _ in 0..<128 {
                guard let asked = name else { break }
                found += places[asked] ?? []
                name = PinPlan.parent(of: asked)
            }
            return found
        }
    }
}
