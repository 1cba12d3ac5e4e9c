/// `host.unpinned`: no release in the field pins this target. Pins that a trap turned off count as pins: they are told
/// where they are wrong. Not to pin a host whose keys others rotate is right, so it is not told.
enum HostUnpinnedRule {
    static func findings(_ view: TargetView) -> [Finding] {
        guard view.target.settings.owner == .ours, !view.releases.contains(where: \.pinsHost) else { return [] }
        let known = view.policy.pinSets.count
        var finding = view.finding(
            .hostUnpinned, severity: .info,
            summary: known == 0
                ? "Nobody pins \(view.label): no release is known yet."
                : "Nobody pins \(view.label): \(known == 1 ? "the release" : "none of the \(known) releases") that "
                    + "\(known == 1 ? "is" : "are") known here \(known == 1 ? "does not name" : "names") it.",
            nextStep: "Add the pin file of the app that connects here, or leave it if plain TLS is meant.",
            evidence: .object([("releases", .integer(Int64(known)))]))
        finding.stale = false
        return [finding]
    }
}
