internal import PinwatchCore

extension AlamofireSource {
    /// Alamofire 4's `ServerTrustPolicyManager(policies:)`.
    mutating func readLegacy(_ manager: Making) {
        var policies: [Node.Member] = []
        for pair in hosts(manager.arguments, "policies", at: manager.mark) {
            guard case .text(let host, let mark) = pair.key, let node = policy(pair.value, host: host) else { continue }
            policies.append(Node.Member(key: host, keyMark: mark, value: node))
        }
        draft.layers.append(
            NativeLayer(
                client: .alamofire4,
                policy: .mapping([("policies", .mapping(once(policies), manager.mark))], manager.mark)))
    }

    private mutating func policy(_ value: SourceValue, host: String) -> Node? {
        var (name, arguments) = ("", [SourceValue.Argument]())
        switch value {
        case .call(let called, let given, _): (name, arguments) = (called, given)
        case .name(let named, _): name = named
        case .text, .flag, .number, .list, .table, .unresolved:
            unresolved(value, "the policy of \(host)")
            return nil
        }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        guard let word = AlamofireNames.policies[last] else {
            unknown(last, host: host, at: value.mark)
            return nil
        }
        var members: [(String, Node?)] = [("policy", .word(word, value.mark))]
        for argument in arguments {
            switch argument.label {
            case "validateCertificateChain": members.append(("validate_certificate_chain", flag(argument)))
            case "validateHost": members.append(("validate_host", flag(argument)))
            case "certificates", "publicKeys", "revocationFlags": continue
            case let label: unknown(label ?? argument.value.shown, host: host, at: argument.value.mark)
            }
        }
        if word == "pin_public_keys" { members.append(("pins", bundle.keys(at: value.mark, &draft))) }
        if word == "pin_certificates" { members.append(("pins", bundle.certificates(at: value.mark, &draft))) }
        return .mapping(members, value.mark)
    }
}
