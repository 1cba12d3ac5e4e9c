/// Releases that are one product on several platforms, and pin different hosts.
enum PlatformLint {
    private enum Family: String, CaseIterable {
        case apple = "Apple's systems"
        case android = "Android"
    }

    private struct Side {
        let family: Family
        let layers: [PinLayer]
        let files: [String]

        func pins(_ host: String) -> Bool {
            layers.contains { !$0.policy.pins(for: host, now: .beforePins).isEmpty }
        }
    }

    /// The most pinned names that are compared.
    private static let limit = LintedLayer.hostLimit

    static func problems(_ definitions: [PinSetDefinition]) -> [LintProblem] {
        let sides = Family.allCases.compactMap { side($0, definitions) }
        guard sides.count == 2, let first = sides.first, let second = sides.last else { return [] }
        var seen: Set<String> = []
        let names = sides.flatMap(\.layers).flatMap { layer in
            layer.policy.hosts.lazy.filter { !$0.pins.isEmpty }.prefix(limit).map { HostLint.base(of: $0.pattern) }
        }
        return names.filter { !$0.isEmpty && IPAddress($0) == nil && seen.insert($0).inserted }.prefix(limit)
            .compactMap { problem(of: $0, first, second) }
    }

    private static func side(_ family: Family, _ definitions: [PinSetDefinition]) -> Side? {
        let own = definitions.filter { definition in
            definition.layers.contains { self.family(of: $0.client, on: definition.platform) == family }
        }
        let layers = own.flatMap(\.layers).filter { $0.policy.namesHosts && $0.policy.configurationError == nil }
        guard layers.contains(where: { !$0.policy.allPins.isEmpty }) else { return nil }
        return Side(family: family, layers: layers, files: own.map(\.origin))
    }

    /// Semantic, not textual: the name itself, one label more, and two.
    private static func problem(of name: String, _ first: Side, _ second: Side) -> LintProblem? {
        let differing = [name, "x." + name, "y.x." + name].filter { first.pins($0) != second.pins($0) }
        guard let example = differing.first else { return nil }
        let (pinned, open) = first.pins(example) ? (first, second) : (second, first)
        let shown = differing.map { host in
            host == name ? name : host.hasPrefix("y.") ? "names two below \(name)" : "names one below \(name)"
        }
        return LintProblem(
            .platformsDiffer, .warning, host: name, file: open.files.first ?? "",
            message:
                "Platforms differ for \(shown.joined(separator: ", ")): \(example) is pinned on "
                + "\(pinned.family.rawValue) "
                + "(\(pinned.files.joined(separator: ", "))) and not on \(open.family.rawValue) "
                + "(\(open.files.joined(separator: ", "))).",
            advice: "Pin the same hosts on both, each in its client's own way of naming sub-domains.")
    }

    private static func family(of client: Client, on platform: Platform?) -> Family? {
        switch platform?.system {
        case .ios, .macos: return .apple
        case .android: return .android
        case .jvm, .linux: return nil
        case nil: break
        }
        switch client {
        case .alamofire, .alamofire4, .trustKitIOS, .applePinnedDomains, .wultraIOS, .afnetworking, .urlSession,
            .ktorDarwin, .rnSSLPinningIOS, .rnPublicKeyPinningIOS, .cordovaAdvancedHTTPIOS:
            return .apple
        case .trustKitAndroid, .androidNSC, .okhttp, .okhttp3, .wultraAndroid, .cronet, .rnSSLPinningAndroid,
            .rnPublicKeyPinningAndroid, .cordovaAdvancedHTTPAndroid:
            return .android
        case .generic, .curl, .wget, .httpCertificatePinning, .dartSecurityContext, .dotnetCallback, .hpkp: return nil
        }
    }
}
