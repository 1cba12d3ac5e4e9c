import Alamofire

let policies: [String: ServerTrustPolicy] = [
    "api.example.com": .pinPublicKeys(
        publicKeys: ServerTrustPolicy.publicKeys(), validateCertificateChain: true, validateHost: true),
    "static.example.com": ServerTrustPolicy.pinCertificates(
        certificates: ServerTrustPolicy.certificates(in: .main), validateCertificateChain: false, validateHost: true),
    "dev.example.com": .disableEvaluation,
]
let manager = SessionManager(serverTrustPolicyManager: ServerTrustPolicyManager(policies: policies))
