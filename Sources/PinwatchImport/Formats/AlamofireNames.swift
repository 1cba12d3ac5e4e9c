/// Names of Alamofire's, and names that are only taken for such.
enum AlamofireNames {
    /// Types and the shorthands of 5.4 and later, with the native word.
    static let evaluators = [
        "PublicKeysTrustEvaluator": "public_keys", ".publicKeys": "public_keys",
        "PinnedCertificatesTrustEvaluator": "pinned_certificates", ".pinnedCertificates": "pinned_certificates",
        "DefaultTrustEvaluator": "default", ".default": "default", "RevocationTrustEvaluator": "revocation",
        ".revocationChecking": "revocation", "CompositeTrustEvaluator": "composite", ".composite": "composite",
        "DisabledTrustEvaluator": "disabled",
    ]

    /// What articles teach and no version has, and what it may stand for.
    static let taught = [
        "PinnedPublicKeysTrustEvaluator": "the library's is PublicKeysTrustEvaluator",
        "DisabledEvaluator": "up to 5.0's betas it was the name of DisabledTrustEvaluator",
        "PinnedCertificatesEvaluator": "the library's is PinnedCertificatesTrustEvaluator",
        "PublicKeysEvaluator": "the library's is PublicKeysTrustEvaluator",
        "allowEmptyPinnedKeys": "the library's evaluator refuses every connection if it has no keys",
    ]

    /// Alamofire 4's cases.
    static let policies = [
        "pinCertificates": "pin_certificates", "pinPublicKeys": "pin_public_keys",
        "performDefaultEvaluation": "default", "performRevokedEvaluation": "revoked", "disableEvaluation": "disabled",
    ]
}
