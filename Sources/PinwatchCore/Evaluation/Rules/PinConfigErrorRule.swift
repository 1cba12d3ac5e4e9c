/// `pin.config_error`: a policy that the client cannot load, so that nothing works at all.
enum PinConfigErrorRule {
    static func findings(_ pinSet: PinSet, now: Instant) -> [Finding] {
        let faults = pinSet.definition.layers.compactMap { layer in
            layer.policy.configurationError.map { (client: layer.client, verdict: $0) }
        }
        guard let first = faults.first else { return [] }
        let label = pinSet.identity.label
        if first.verdict.code == UnreadablePolicy.code { return [unread(pinSet, first.verdict, now: now)] }
        return [
            Finding(
                key: "\(FindingKind.pinConfigError.rawValue)/\(pinSet.id.text)", kind: .pinConfigError,
                severity: .critical, pinSetID: pinSet.id, subject: label,
                summary: "\(label) cannot load its pins, so it connects to nothing. "
                    + Wording.sentence(first.verdict.reason),
                nextStep: "Mend the pins and ship a release; if the app works, the pin file here differs from it.",
                evidence: .object([
                    ("client", .string(first.client.rawValue)), ("code", .string(first.verdict.code)),
                    ("reason", .string(first.verdict.reason)), ("file", .text(pinSet.definition.fileName)),
                ]), since: now, affectedShare: pinSet.definition.share)
        ]
    }

    /// A stored pin file that this version does not take any more.
    private static func unread(_ pinSet: PinSet, _ verdict: Verdict, now: Instant) -> Finding {
        let label = pinSet.identity.label
        return Finding(
            key: "\(FindingKind.pinConfigError.rawValue)/\(pinSet.id.text)", kind: .pinConfigError, severity: .critical,
            pinSetID: pinSet.id, subject: label,
            summary: "The stored pin file of \(label) cannot be read by this version, so nothing is judged by it. "
                + Wording.sentence(verdict.reason),
            nextStep: "Import the release's files again in its place, or delete it.",
            evidence: .object([
                ("client", .null), ("code", .string(verdict.code)), ("reason", .string(verdict.reason)),
                ("file", .text(pinSet.definition.fileName)),
            ]), since: now, affectedShare: pinSet.definition.share)
    }
}

extension PinSetDefinition {
    /// The name alone: where the file lies on this machine is nothing for receivers to know.
    fileprivate var fileName: String? { origin.split(separator: "/").last.map { String($0) } }
}
