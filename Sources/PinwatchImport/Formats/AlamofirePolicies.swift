internal import PinwatchCore

/// Writes the native policies `alamofire` and `alamofire4` as Swift. Their pins are files of the app's bundle, which Swift
/// can only name: the comments say what the files must hold.
enum AlamofirePolicies {
    private static let notes = [
        "Evaluators pin every DER certificate of the bundle (.cer, .crt, .der); a PEM file is dropped without an error:",
        "  openssl x509 -in certificate.pem -outform der -out certificate.cer",
        "Hosts are compared letter for letter: no sub-domains, no wildcards, no other case.",
        "There is no expiry. Pin keys rather than certificates, of which every renewal is another; keep a backup key's.",
    ]

    /// Where the bundle alone would make one of several lists.
    private static let mixed =
        "Pins differ here by host or evaluator: as written each takes those of all; give each its own as an argument."

    static func modern(_ policy: Node, notes given: [String]) -> String {
        let all = policy["all_hosts_must_be_evaluated"]?.flag
        let hosts = (policy["evaluators"]?.members ?? []).map { member in
            (SourceLiteral.swift.quoted(member.key), evaluator(member.value))
        }
        let flag = all.map { "allHostsMustBeEvaluated: \($0), " } ?? ""
        return comments(policy["evaluators"], given)
            + "let trust = ServerTrustManager(\(flag)evaluators: \(SourceLiteral.swift.dictionary(hosts, indent: 0)))\n"
            + "let session = Session(serverTrustManager: trust)\n"
    }

    private static func evaluator(_ node: Node) -> String {
        let flags = [
            ("accept_self_signed", "acceptSelfSignedCertificates"),
            ("perform_default_validation", "performDefaultValidation"), ("validate_host", "validateHost"),
        ]
        let arguments = flags.compactMap { key, label in node[key]?.flag.map { "\(label): \($0)" } }
        let list = arguments.joined(separator: ", ")
        switch node["evaluator"]?.scalar {
        case "public_keys": return "PublicKeysTrustEvaluator(\(list))"
        case "pinned_certificates": return "PinnedCertificatesTrustEvaluator(\(list))"
        case "revocation": return "RevocationTrustEvaluator(\(list))"
        case "disabled": return "DisabledTrustEvaluator()"
        case "composite":
            let children = (node["evaluators"]?.items ?? []).map(evaluator).joined(separator: ", ")
            return "CompositeTrustEvaluator(evaluators: [\(children)])"
        case _: return "DefaultTrustEvaluator(\(list))"
        }
    }

    static func legacy(_ policy: Node, notes given: [String]) -> String {
        let hosts = (policy["policies"]?.members ?? []).map { member in
            (SourceLiteral.swift.quoted(member.key), legacyPolicy(member.value))
        }
        return comments(policy["policies"], given)
            + "let trust = ServerTrustPolicyManager(policies: \(SourceLiteral.swift.dictionary(hosts, indent: 0)))\n"
            + "let manager = SessionManager(serverTrustPolicyManager: trust)\n"
    }

    private static func legacyPolicy(_ node: Node) -> String {
        let host = node["validate_host"]?.flag ?? true
        let chain = node["validate_certificate_chain"]?.flag ?? true
        let checks = "validateCertificateChain: \(chain), validateHost: \(host)"
        switch node["policy"]?.scalar {
        case "pin_certificates": return ".pinCertificates(certificates: ServerTrustPolicy.certificates(), \(checks))"
        case "pin_public_keys": return ".pinPublicKeys(publicKeys: ServerTrustPolicy.publicKeys(), \(checks))"
        case "revoked":
            return
                ".performRevokedEvaluation(validateHost: \(host), revocationFlags: kSecRevocationUseAnyAvailableMethod)"
        case "disabled": return ".disableEvaluation"
        case _: return ".performDefaultEvaluation(validateHost: \(host))"
        }
    }

    /// The pins that the bundle's files must come to.
    private static func comments(_ hosts: Node?, _ given: [String]) -> String {
        let pins = (hosts?.members ?? []).flatMap { host in
            self.pins(host.value).map { "  for \(host.key): the certificate of \($0)" }
        }
        let lists = (hosts?.members ?? []).flatMap { Self.lists($0.value) }.filter { !$0.isEmpty }
        let lines =
            given + notes + (Set(lists).count > 1 ? [mixed] : [])
            + (pins.isEmpty ? [] : ["The files in the bundle must be:"] + pins)
        return lines.map { "// \(SourceLiteral.comment($0))\n" }.joined()
    }

    /// The pins of each evaluator by itself.
    private static func lists(_ node: Node) -> [Set<String>] {
        [Set((node["pins"]?.items ?? []).compactMap(\.scalar))] + (node["evaluators"]?.items ?? []).flatMap(lists)
    }

    private static func pins(_ node: Node) -> [String] {
        (node["pins"]?.items ?? []).compactMap { pin in
            pin.scalar.map { $0.hasPrefix("cert-") ? $0 : PinNotation.prefixed(pin) }
        }
            + (node["evaluators"]?.items ?? []).flatMap(pins)
    }
}
