/// The client libraries that pin files may name: the contract's list.
package enum Client: String, Sendable, CaseIterable {
    case generic
    case alamofire, alamofire4
    case trustKitIOS = "trustkit-ios"
    case trustKitAndroid = "trustkit-android"
    case applePinnedDomains = "apple-pinned-domains"
    case androidNSC = "android-nsc"
    case okhttp, okhttp3
    case ktorDarwin = "ktor-darwin"
    case cronet
    case wultraIOS = "wultra-ios"
    case wultraAndroid = "wultra-android"
    case curl, wget, afnetworking
    case urlSession = "urlsession"
    case rnSSLPinningIOS = "rn-ssl-pinning-ios"
    case rnSSLPinningAndroid = "rn-ssl-pinning-android"
    case rnPublicKeyPinningIOS = "rn-public-key-pinning-ios"
    case rnPublicKeyPinningAndroid = "rn-public-key-pinning-android"
    case httpCertificatePinning = "http-certificate-pinning"
    case dartSecurityContext = "dart-security-context"
    case cordovaAdvancedHTTPIOS = "cordova-advanced-http-ios"
    case cordovaAdvancedHTTPAndroid = "cordova-advanced-http-android"
    case dotnetCallback = "dotnet-callback"
    case hpkp

    /// The rules, or `nil` for a client whose rules are not built in yet. A stated version decides over the name where one
    /// library has two.
    package func policyType(for version: VersionNumber?) -> (any PinPolicy.Type)? {
        guard self == .okhttp || self == .okhttp3, let version, let modern = VersionNumber("4.3.0") else {
            return policyType
        }
        return version < modern ? OkHttpPolicy<LegacyOkHttp>.self : OkHttpPolicy<ModernOkHttp>.self
    }

    /// The same where no version is stated.
    package var policyType: (any PinPolicy.Type)? {
        switch self {
        case .generic: GenericPolicy.self
        case .alamofire: AlamofirePolicy.self
        case .alamofire4: Alamofire4Policy.self
        case .trustKitIOS: TrustKitPolicy.self
        case .applePinnedDomains: ApplePinnedDomainsPolicy.self
        case .wultraIOS: WultraIOSPolicy.self
        case .afnetworking: AFNetworkingPolicy.self
        case .urlSession: URLSessionPolicy.self
        case .androidNSC: AndroidNSCPolicy.self
        case .trustKitAndroid: TrustKitAndroidPolicy.self
        case .okhttp: OkHttpPolicy<ModernOkHttp>.self
        case .okhttp3: OkHttpPolicy<LegacyOkHttp>.self
        case .wultraAndroid: WultraAndroidPolicy.self
        case .curl: CurlPolicy.self
        case .wget: WgetPolicy.self
        case .hpkp: HPKPPolicy.self
        case .ktorDarwin, .cronet, .rnSSLPinningIOS, .rnSSLPinningAndroid, .rnPublicKeyPinningIOS,
            .rnPublicKeyPinningAndroid, .httpCertificatePinning, .dartSecurityContext, .cordovaAdvancedHTTPIOS,
            .cordovaAdvancedHTTPAndroid, .dotnetCallback:
            nil
        }
    }
}
