/// The formats that apps, tools and people keep pins in, told apart by content.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// The contract's own pin file.
    case native
    /// `NSPinnedDomains` or `TSKConfiguration` in a property list: XML, binary or JSON.
    case infoPlist = "info-plist"
    case networkSecurityConfig = "android-nsc"
    /// TrustKit's dictionary in Swift or Objective-C.
    case trustKitSource = "trustkit-source"
    /// OkHttp's `CertificatePinner` in Kotlin or Java.
    case okHttpSource = "okhttp-source"
    /// Alamofire 5's `ServerTrustManager`, or 4's `ServerTrustPolicyManager`, in Swift.
    case alamofireSource = "alamofire-source"
    /// `--pinnedpubkey` of a curl or wget command line, or of their rc files.
    case commandLine = "command-line"
    case hpkpHeader = "hpkp-header"
    /// The JSON list that Wultra's clients download.
    case wultraList = "wultra-list"
    /// Certificates, public keys and signing requests.
    case keyFiles = "key-files"
    case barePins = "bare-pins"

    /// As a sentence calls it.
    package var words: String {
        switch self {
        case .native: "a native pin file"
        case .infoPlist: "an Info.plist"
        case .networkSecurityConfig: "an Android network security configuration"
        case .trustKitSource: "source with a TrustKit dictionary"
        case .okHttpSource: "source with an OkHttp CertificatePinner"
        case .alamofireSource: "source with Alamofire's server trust"
        case .commandLine: "a curl or wget command line"
        case .hpkpHeader: "an HPKP header"
        case .wultraList: "a Wultra fingerprint list"
        case .keyFiles: "certificates or keys"
        case .barePins: "bare pins"
        }
    }
}
