/// `vantage.suspect`: what this installation sees is not what others see. See ``Vantage`` for when.
enum VantageSuspectRule {
    static func findings(_ suspected: [SuspectedAuthority], now: Instant) -> [Finding] {
        guard let worst = suspected.max(by: { ($0.targets, $1.key) < ($1.targets, $0.key) }) else { return [] }
        return [
            Finding(
                key: FindingKind.vantageSuspect.rawValue, kind: .vantageSuspect, severity: .critical,
                subject: "this installation", summary: summary(worst),
                nextStep: worst.product == nil
                    ? "Look at one of these hosts from another network. If it differs there, find what intercepts this "
                        + "machine's connections; if not, name the authority in a trust store of these targets."
                    : "Have this machine's connections let through unread, or run Pinwatch elsewhere; until then nothing "
                        + "is known of what users are served.",
                evidence: .object([("authorities", .few(suspected.map(evidence)))]), since: now)
        ]
    }

    private static func summary(_ suspected: SuspectedAuthority) -> String {
        let who = suspected.product.map { "\($0.name), \($0.place.words)" } ?? "\"\(Wording.clause(suspected.name))\""
        let targets = suspected.targets
        return "Pinwatch's own connections seem to be read: \(Wording.counted(targets, "target")) of "
            + "\(Wording.counted(suspected.domains, "unrelated domain")) \(targets == 1 ? "shows" : "show") certificates "
            + "of one authority that none of them had before and no trust store knows: \(who). What is wrong with them is "
            + "not told one by one meanwhile."
    }

    private static func evidence(_ suspected: SuspectedAuthority) -> JSON {
        .object([
            ("authority", .string(suspected.name)), ("product", .text(suspected.product?.name)),
            ("since", .time(suspected.since)), ("target_count", .integer(Int64(suspected.targets))),
            ("domain_count", .integer(Int64(suspected.domains))), ("targets", .strings(suspected.examples)),
        ])
    }
}

/// An active suspicion with what is on its authority now.
package struct SuspectedAuthority: Sendable, Hashable {
    package let key: String
    package let name: String
    package let since: Instant
    package let targets: Int
    package let domains: Int
    /// Labels of some of the targets.
    package let examples: [String]

    package init(_ suspicion: Suspicion, targets: Int, domains: Int, examples: [String]) {
        key = suspicion.key
        name = suspicion.name
        since = suspicion.begunAt
        self.targets = targets
        self.domains = domains
        self.examples = examples
    }

    var product: InspectionProduct? { InspectionProduct.issuing(name) }
}
