import Testing

@testable import PinwatchCore

/// Policies as JSON with what lint makes of them, told as `severity rule host`.
enum LintLab {
    static let a = Lab.base64(1)
    static let b = Lab.base64(8)

    static func layer(_ client: Client, _ policy: String) throws -> PinLayer {
        let text = policy.replacing("$a", with: a).replacing("$b", with: b)
        switch client {
        case .alamofire: return try layer(client, AlamofirePolicy.self, text)
        case .alamofire4: return try layer(client, Alamofire4Policy.self, text)
        case .afnetworking: return try layer(client, AFNetworkingPolicy.self, text)
        case .urlSession: return try layer(client, URLSessionPolicy.self, text)
        case .trustKitIOS: return try layer(client, TrustKitPolicy.self, text)
        case .applePinnedDomains: return try layer(client, ApplePinnedDomainsPolicy.self, text)
        case .okhttp: return try layer(client, OkHttpPolicy<ModernOkHttp>.self, text)
        case .okhttp3: return try layer(client, OkHttpPolicy<LegacyOkHttp>.self, text)
        case .wultraIOS: return try layer(client, WultraIOSPolicy.self, text)
        case .wultraAndroid: return try layer(client, WultraAndroidPolicy.self, text)
        case .curl: return try layer(client, CurlPolicy.self, text)
        case .hpkp: return try layer(client, HPKPPolicy.self, text)
        case .generic: return try layer(client, GenericPolicy.self, text)
        case .androidNSC: return try layer(client, xml: text)
        case .trustKitAndroid: return try layer(client, xml: text)
        case .ktorDarwin, .cronet, .wget, .rnSSLPinningIOS, .rnSSLPinningAndroid, .rnPublicKeyPinningIOS,
            .rnPublicKeyPinningAndroid, .httpCertificatePinning, .dartSecurityContext, .cordovaAdvancedHTTPIOS,
            .cordovaAdvancedHTTPAndroid, .dotnetCallback:
            throw Unused()
        }
    }

    private struct Unused: Error {}

    private static func layer<Policy: PinPolicy>(
        _ client: Client, _ type: Policy.Type, _ text: String
    ) throws -> PinLayer {
        PinLayer(client: client, clientVersion: nil, policy: try Lab.good(type, text))
    }

    /// `<d>`, `<n>` and `<p>` are short for what every file has.
    private static func layer(_ client: Client, xml short: String) throws -> PinLayer {
        var xml = "<network-security-config>" + short + "</network-security-config>"
        for (from, to) in [
            ("<dc>", "<domain-config>"), ("</dc>", "</domain-config>"), ("<d>", "<domain>"), ("</d>", "</domain>"),
            ("<s>", "<domain includeSubdomains=\"true\">"), ("</s>", "</domain>"),
            ("<p>", "<pin digest=\"SHA-256\">"), ("</p>", "</pin>"), ("<ps>", "<pin-set>"), ("</ps>", "</pin-set>"),
        ] {
            xml = xml.replacing(from, with: to)
        }
        let file = NetworkSecurityFile(xml, place: "it", resources: Lab.resources())
        let policy: any PinPolicy =
            client == .androidNSC ? AndroidNSCPolicy(file: file) : TrustKitAndroidPolicy(file: file)
        return PinLayer(client: client, clientVersion: nil, policy: policy)
    }

    static func definition(
        _ layers: [PinLayer], origin: String = "it", platform: Platform? = nil, variant: Variant = .release
    ) -> PinSetDefinition {
        PinSetDefinition(
            identity: PinSetIdentity(app: "shop", release: "1", variant: variant, stack: "default"), share: nil,
            platform: platform, trustStore: nil, layers: layers, source: "", origin: origin, managedBy: .api)
    }

    static func facts(_ certificates: [CertificateSummary] = []) -> LintFacts {
        LintFacts(now: Lab.now, certificates: certificates, suffixes: Lab.Suffixes())
    }

    static func said(
        _ client: Client, _ policy: String, knowing certificates: [CertificateSummary] = [], platform: Platform? = nil
    ) throws -> [String] {
        let definition = definition([try layer(client, policy)], platform: platform)
        return PolicyLint.problems(of: [definition], facts: facts(certificates)).map(\.short)
    }
}

extension LintProblem {
    /// `error pin_never_matches api.example.com`, or two words where it is about no host.
    var short: String { [severity.rawValue, rule.rawValue, host].compactMap { $0 }.joined(separator: " ") }
}
