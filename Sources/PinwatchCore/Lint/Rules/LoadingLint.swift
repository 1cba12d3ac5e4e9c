/// What the client refuses to load, and what it no longer looks at.
enum LoadingLint {
    static func traps(_ layer: LintedLayer) -> [PolicyTrap] {
        refusal(layer) + expiries(layer) + cut(layer)
    }

    private static func refusal(_ layer: LintedLayer) -> [PolicyTrap] {
        guard let error = layer.error else { return [] }
        return [
            PolicyTrap(
                .configError, .error, message: "The client cannot load these pins: \(Wording.clause(error.reason)).",
                advice: "Mend it, and start the app once before it ships.")
        ]
    }

    private static func expiries(_ layer: LintedLayer) -> [PolicyTrap] {
        var seen: Set<PinExpiry> = []
        return layer.policy.expiries.filter { seen.insert($0).inserted }.prefix(LintedLayer.hostLimit).compactMap {
            end in
            if layer.facts.now > end.at {
                return PolicyTrap(
                    .pinsExpired, .error, host: end.host,
                    message:
                        "The pins for \(end.host) ended on \(Wording.ending(end)): any trusted certificate is "
                        + "accepted now, and nothing says so.",
                    advice: "Ship a release with a later end, or none.")
            }
            guard end.at.seconds(since: layer.facts.now) <= layer.facts.nearSeconds else { return nil }
            return PolicyTrap(
                .pinsExpireSoon, .warning, host: end.host,
                message:
                    "The pins for \(end.host) end on \(Wording.ending(end)), and from then on any trusted "
                    + "certificate is accepted.",
                advice: "Ship a release with a later end early enough for users to update.")
        }
    }

    private static func cut(_ layer: LintedLayer) -> [PolicyTrap] {
        guard layer.isCut else { return [] }
        return [
            PolicyTrap(
                .tooManyHosts, .note,
                message: "There are more entries or pins than are examined one by one, which are "
                    + "\(LintedLayer.hostLimit) entries with \(LintedLayer.pinLimit) pins; the rest was not.",
                advice: "Examine the rest in files of their own.")
        ]
    }
}
