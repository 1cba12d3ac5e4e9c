import Alamofire

final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

final class TenantTrustManager: ServerTrustManager {
    override func serverTrustEvaluator(forHost host: String) throws -> ServerTrustEvaluating? { nil }
}

let manager = TenantTrustManager(evaluators: [
    "a.example.com": PinnedPublicKeysTrustEvaluator(),
    "b.example.com": DisabledEvaluator(),
    "c.example.com": PublicKeysTrustEvaluator(),
    "d.example.com": PinnedCertificatesTrustEvaluator(allowEmptyPinnedKeys: true),
])
