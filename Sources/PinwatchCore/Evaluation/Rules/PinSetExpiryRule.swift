/// `pinset.expiry`: the days on which a release's pinning of its hosts turns off by itself.
///
/// A pin set has one finding, whose stage is that of its earliest end. What ended says nothing of what is still to end,
/// so the nearest end to come stands beside it.
enum PinSetExpiryRule {
    /// The ends of all layers, earliest first, each once. None on a stack that does not consult the pins.
    static func ends(of pinSet: PinSet) -> [PinExpiry] {
        guard pinSet.identity.stack == "default" else { return [] }
        return Set(pinSet.definition.layers.flatMap(\.policy.expiries)).sorted {
            $0.at == $1.at ? $0.host < $1.host : $0.at < $1.at
        }
    }

    static func findings(_ pinSet: PinSet, ends: [PinExpiry], policy: EvaluationPolicy, now: Instant) -> [Finding] {
        guard let first = ends.first,
            let stage = StageLimits(policy.thresholds, lifetime: nil).stage(end: first.at, now: now)
        else { return [] }
        let (ended, coming) = (ends.filter { now > $0.at }, ends.filter { now <= $0.at })
        let label = pinSet.identity.label
        return [
            Finding(
                key: "\(FindingKind.pinSetExpiry.rawValue)/\(pinSet.id.text)", kind: .pinSetExpiry, stage: stage,
                severity: stage.severity, pinSetID: pinSet.id, subject: label,
                summary: summary(label, ended: ended, coming: coming),
                nextStep: "Ship a release with later or no expiry, and let users update before that day.",
                evidence: .object([
                    ("host", .string(first.host)), ("expires", .time(first.at)),
                    (
                        "ends",
                        .few(ends.map { .object([("host", .string($0.host)), ("expires", .time($0.at))]) })
                    ),
                ]), since: now, affectedShare: pinSet.definition.share)
        ]
    }

    /// What ends together, as the runway shows it: `pinning of api.example.com turns off`.
    static func upcoming(_ pinSet: PinSet, ends: [PinExpiry], now: Instant) -> [Upcoming] {
        var upcoming: [Upcoming] = []
        var rest = ends.filter { $0.at >= now }[...]
        while let next = rest.first {
            let together = rest.prefix { $0.at == next.at }
            rest = rest.dropFirst(together.count)
            upcoming.append(
                Upcoming(
                    kind: .pinSet, endsAt: next.at, targetID: nil, pinSetID: pinSet.id,
                    subject: pinSet.identity.label, summary: "pinning of \(hosts(together)) turns off"))
        }
        return upcoming
    }

    private static func summary(_ label: String, ended: [PinExpiry], coming: [PinExpiry]) -> String {
        let next = coming.first.map { next in
            (day: Wording.day(next), hosts: hosts(coming.prefix { $0.at == next.at }))
        }
        guard let first = ended.first else {
            return next.map { next in
                "\(label) stops pinning \(next.hosts) on \(next.day), and from then on accepts any trusted certificate."
            } ?? ""
        }
        let last = ended.last.flatMap { $0.at == first.at ? nil : " and \(Wording.day($0))" }
        let when = (last == nil ? "on " : "between ") + Wording.day(first) + (last ?? "")
        return "\(label) no longer pins \(hosts(ended)): its pins ended \(when), and it accepts any trusted "
            + "certificate."
            + (next.map { " It stops pinning \($0.hosts) on \($0.day)." } ?? "")
    }

    /// `a.test`, `a.test and b.test`, `a.test and 7 more hosts`.
    private static func hosts(_ ends: some Collection<PinExpiry>) -> String {
        var seen: Set<String> = []
        let names = ends.map(\.host).filter { seen.insert($0).inserted }
        guard let first = names.first else { return "no host" }
        switch names.count {
        case 1: return first
        case 2: return "\(first) and \(names[1])"
        default: return "\(first) and \(names.count - 1) more hosts"
        }
    }
}
