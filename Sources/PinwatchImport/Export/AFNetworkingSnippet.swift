internal import PinwatchCore

/// Writes the native policy `afnetworking` as Objective-C.
enum AFNetworkingSnippet {
    static func write(_ policy: Node, notes: [String]) -> String {
        let mode =
            switch policy["mode"]?.scalar {
            case "certificate": "AFSSLPinningModeCertificate"
            case "public_key": "AFSSLPinningModePublicKey"
            case _: "AFSSLPinningModeNone"
            }
        let pins = (policy["pins"]?.items ?? []).map { pin in
            "  the certificate of " + (PinNotation.isSPKI(pin) ? PinNotation.prefixed(pin) : pin.scalar ?? "")
        }
        let comments =
            notes + [
                "Every host of the session is held against the same set: the DER .cer files in the bundle's root.",
                "A certificate's pin breaks at every renewal; keys stay. Keep a backup key's certificate in the bundle.",
                "The files in the bundle must be:",
            ] + pins
        let flags = [("allow_invalid", "allowInvalidCertificates"), ("validates_domain_name", "validatesDomainName")]
            .compactMap { key, name in policy[key]?.flag.map { "policy.\(name) = \($0 ? "YES" : "NO");\n" } }
        return comments.map { "// \(SourceLiteral.comment($0))\n" }.joined() + """
            AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:\(mode)];
            \(flags.joined())manager.securityPolicy = policy;

            """
    }
}
