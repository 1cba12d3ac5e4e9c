/// `pin.rejected`: what a target serves is outside a release's pins.
///
/// The scope counts addresses × key families. A debug build's refusal and a release that only reports are news, no
/// outage.
enum PinRejectedRule {
    static func findings(_ view: TargetView) -> [Finding] { view.releases.compactMap { finding($0, in: view) } }

    private static func finding(_ release: JudgedRelease, in view: TargetView) -> Finding? {
        let rejected = view.chains.filter { release.rejected.contains($0.id) }
        let reported = view.chains.filter { release.kind(of: $0.id) == .acceptReport }
        let chains = rejected.isEmpty ? reported : rejected
        guard let first = chains.first, let verdict = release.verdicts[first.id]?.deciding else { return nil }
        let identity = release.pinSet.identity
        let isOutage = !rejected.isEmpty && identity.variant == .release
        var finding = view.finding(
            .pinRejected, part: release.pinSet.id.text, severity: isOutage ? .critical : .info,
            summary: summary(release, chains, verdict, in: view),
            nextStep:
                "Serve a certificate that the release's pins accept again, or ship a release with pins for the new "
                + "one; until then its users cannot connect.",
            evidence: evidence(release, chains, verdict))
        if !isOutage { finding.nextStep = harmless }
        finding.scope = Scope(affected: Set(chains.flatMap(\.places)).count, of: view.placeCount)
        finding.pinSetID = release.pinSet.id
        finding.affectedShare = release.pinSet.definition.share
        return finding
    }

    private static let harmless =
        "No user of a release build is cut off; mend the pins before they go into one that enforces them."

    private static func summary(
        _ release: JudgedRelease, _ chains: [ServedChain], _ verdict: Verdict, in view: TargetView
    ) -> String {
        let label = release.pinSet.identity.label
        let places = view.addresses(of: chains)
        switch verdict.kind {
        case .acceptReport:
            return "\(label) reports \(view.label) and still connects. "
                + "A key outside its pins is served \(places); \(Self.matching(release.pins))."
        case .rejectPin where verdict.code == "no_pin_matched":
            return "\(label) rejects \(view.label). "
                + "A key outside its pins is served \(places); \(Self.matching(release.pins))."
        case .accept, .rejectPin, .rejectChain, .unpinned, .configError, .notEvaluated, .dependsOnPath, .unknown:
            return "\(label) rejects \(view.label) as served \(places). " + Wording.sentence(verdict.reason)
        }
    }

    private static func matching(_ pins: [Pin]) -> String {
        switch pins.count {
        case 0: "it holds no pin for it"
        case 1: "its only pin does not match"
        case 2: "neither of its 2 pins matches"
        default: "none of its \(pins.count) pins match"
        }
    }

    private static func evidence(_ release: JudgedRelease, _ chains: [ServedChain], _ verdict: Verdict) -> JSON {
        .object([
            ("code", .string(verdict.code)), ("reason", .string(verdict.reason)),
            ("notes", .few(verdict.notes.map { .string($0) })), ("served", .few(chains.map(\.evidence))),
            ("pins", .few(release.pins.map { .string($0.text) })),
        ])
    }
}
