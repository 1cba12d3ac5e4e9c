package import PinwatchCore

/// What pins can be written as.
package enum ExportFormat: String, Sendable, CaseIterable {
    case native
    case infoPlist = "info-plist"
    case trustKitPlist = "trustkit-plist"
    case trustKitSwift = "trustkit-swift"
    case trustKitObjectiveC = "trustkit-objc"
    case alamofire, alamofire4, afnetworking
    case androidNSC = "android-nsc"
    case okHttpKotlin = "okhttp-kotlin"
    case okHttpJava = "okhttp-java"
    case wultra, curl, wget, hpkp

    /// The client whose policy the format holds; `nil` for the native one, which holds any.
    package var client: Client? {
        switch self {
        case .native: nil
        case .infoPlist: .applePinnedDomains
        case .trustKitPlist, .trustKitSwift, .trustKitObjectiveC: .trustKitIOS
        case .alamofire: .alamofire
        case .alamofire4: .alamofire4
        case .afnetworking: .afnetworking
        case .androidNSC: .androidNSC
        case .okHttpKotlin, .okHttpJava: .okhttp
        case .wultra: .wultraIOS
        case .curl: .curl
        case .wget: .wget
        case .hpkp: .hpkp
        }
    }

    /// Clients whose policy the format holds as it stands.
    var exactClients: [Client] {
        switch self {
        case .native: []
        case .infoPlist: [.applePinnedDomains]
        case .trustKitPlist, .trustKitSwift, .trustKitObjectiveC: [.trustKitIOS]
        case .alamofire: [.alamofire]
        case .alamofire4: [.alamofire4]
        case .afnetworking: [.afnetworking]
        case .androidNSC: [.androidNSC, .trustKitAndroid]
        case .okHttpKotlin, .okHttpJava: [.okhttp, .okhttp3]
        case .wultra: [.wultraIOS, .wultraAndroid]
        case .curl: [.curl]
        case .wget: [.wget]
        case .hpkp: [.hpkp]
        }
    }
}
