import Alamofire

// "old.example.com": DisabledTrustEvaluator() is gone
let evaluators: [String: any ServerTrustEvaluating] = [
    "api.example.com": PublicKeysTrustEvaluator(performDefaultValidation: true, validateHost: true),
    "static.example.com": PinnedCertificatesTrustEvaluator(acceptSelfSignedCertificates: false),
    "both.example.com": CompositeTrustEvaluator(evaluators: [
        PublicKeysTrustEvaluator(), RevocationTrustEvaluator(options: .any),
    ]),
    #if DEBUG
    "dev.example.com": DisabledTrustEvaluator(),
    #endif
]

let session = Session(
    serverTrustManager: ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators))
