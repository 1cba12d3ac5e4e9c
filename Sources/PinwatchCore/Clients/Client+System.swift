extension Client {
    /// The system that the library exists for, or is meant for first; `nil` for one that runs on several.
    package var system: Platform.System? {
        switch self {
        case .alamofire, .alamofire4, .trustKitIOS, .applePinnedDomains, .wultraIOS, .afnetworking, .urlSession,
            .ktorDarwin, .rnSSLPinningIOS, .rnPublicKeyPinningIOS, .cordovaAdvancedHTTPIOS:
            .ios
        case .androidNSC, .trustKitAndroid, .wultraAndroid, .rnSSLPinningAndroid, .rnPublicKeyPinningAndroid,
            .cordovaAdvancedHTTPAndroid:
            .android
        case .generic, .okhttp, .okhttp3, .cronet, .curl, .wget, .httpCertificatePinning, .dartSecurityContext,
            .dotnetCallback, .hpkp:
            nil
        }
    }
}
