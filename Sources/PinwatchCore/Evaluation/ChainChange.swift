/// A transition with what is known of both its chains; either may be unknown.
struct ChainChange {
    let transition: ChainTransition
    let from: ChainAssessment?
    let to: ChainAssessment?
    let target: Target
    let now: Instant

    private var label: String { target.identity.label }
    private var places: String { Wording.addresses(transition.addresses.count, of: transition.of) }

    /// Whether the leaf is known to be another one, rather than what is sent above it.
    var replacesLeaf: Bool {
        guard let old = from?.leaf, let new = to?.leaf else { return false }
        return old.fingerprint != new.fingerprint
    }

    private var keepsKey: Bool {
        guard let old = from?.leaf?.spki, let new = to?.leaf?.spki else { return false }
        return old == new
    }

    /// The event of a change above the leaf, or of one whose chains can no longer be read.
    var chainEvent: Event {
        let known = from?.leaf != nil && to?.leaf != nil
        return event(
            .chainChanged, class: nil, quiet: transition.returned,
            summary: known
                ? "\(label) sends other certificates above the same leaf, \(places)."
                : "\(label) serves another chain, which could not be read, \(places).")
    }

    /// The event of a new leaf.
    ///
    /// - Parameter lastServed: When the target last served the new leaf's key before.
    func keyEvent(lastServed: Instant?, reception: KeyReception, windowSeconds: Int64) -> Event {
        let kind = keyChange(lastServed: lastServed, reception)
        let quiet: Bool
        switch kind {
        case .sameKeyRenewed: quiet = !reception.worsens
        case .returned:
            quiet = transition.returned || lastServed.map { now.seconds(since: $0) <= windowSeconds } ?? false
        case .toPinOfAll, .toPinOfSome, .toPinOfNone, .unknownThird, .unpinned: quiet = false
        }
        return event(.keyChanged, class: kind, quiet: quiet, summary: summary(kind, reception))
    }

    private func keyChange(lastServed: Instant?, _ reception: KeyReception) -> KeyChangeClass {
        if keepsKey { return .sameKeyRenewed }
        if transition.returned || lastServed != nil { return .returned }
        if reception.accepting == 0, transition.unsettled { return .unknownThird }
        switch (reception.pinning, reception.accepting) {
        case (0, _): return .unpinned
        case (_, 0): return .toPinOfNone
        case (let pinning, let accepting): return accepting == pinning ? .toPinOfAll : .toPinOfSome
        }
    }

    private func summary(_ kind: KeyChangeClass, _ reception: KeyReception) -> String {
        switch kind {
        case .sameKeyRenewed:
            return reception.worsens
                ? "\(label) renewed its certificate over the same key, which releases that pin the certificate refuse, "
                    + "\(places)."
                : "\(label) renewed its certificate over the same key, \(places)."
        case .toPinOfAll:
            let who =
                reception.pinning == 1
                ? "the release that pins it accepts" : "all \(reception.pinning) releases that pin it accept"
            return "\(label) moved to a key that \(who), \(places)."
        case .toPinOfSome:
            return "\(label) moved to a key that \(reception.accepting) of \(reception.pinning) releases that pin it "
                + "accept, \(places)."
        case .toPinOfNone: return "\(label) moved to a key that no release pins, \(places)."
        case .returned: return "\(label) went back to a key that it served before, \(places)."
        case .unknownThird:
            return "\(label) moved to a third key soon after another change, and no release pins it, \(places)."
        case .unpinned: return "\(label) moved to a new key, \(places). No release pins this host."
        }
    }

    private func event(_ kind: EventKind, class keyChange: KeyChangeClass?, quiet: Bool, summary: String) -> Event {
        Event(
            kind: kind, at: now, targetID: target.id, subject: label, keyChange: keyChange, quiet: quiet,
            summary: summary,
            evidence: .object([
                ("from", .side(of: from)), ("to", .side(of: to)),
                ("addresses", .addresses(transition.addresses)), ("of", .integer(Int64(transition.of))),
            ]))
    }
}

extension ChainChange {
    /// Asks every release that pins the host about the new chain, and about the old one.
    func reception(
        by pinSets: [PinSet], assess: (ChainID, String) throws -> ChainAssessment?
    ) rethrows -> KeyReception {
        var reception = KeyReception()
        let host = target.identity.clientHost
        for definition in pinSets.map(\.definition) where !definition.pins(for: host, now: now).isEmpty {
            let trustStore = definition.trustStore ?? target.settings.trustStore
            guard let new = try assess(transition.to, trustStore) else { continue }
            reception.pinning += 1
            let accepts = self.accepts(definition, new)
            if accepts { reception.accepting += 1 }
            guard let old = try assess(transition.from, trustStore) else { continue }
            if !accepts, self.accepts(definition, old) { reception.worsens = true }
        }
        return reception
    }

    /// Whether the release's pins hold. Dates and trust are apart from the question whose key this is, so what plain
    /// validation refuses is asked for its pins alone.
    private func accepts(_ definition: PinSetDefinition, _ assessment: ChainAssessment) -> Bool {
        let host = target.identity.clientHost
        let verdict = ReleaseVerdict.judge(
            definition,
            presentation: Presentation(
                host: host, assessment: assessment,
                verification: assessment.verification(at: now, for: target.identity.reference), now: now))
        switch verdict.deciding.kind {
        case .accept: return true
        case .acceptReport, .rejectPin, .unpinned, .configError, .notEvaluated: return false
        case .rejectChain, .dependsOnPath, .unknown:
            let members = assessment.paths.isEmpty ? assessment.certificates : assessment.paths.flatMap(\.members)
            return definition.layers.allSatisfy { layer in
                let pins = layer.policy.pins(for: host, now: now)
                return pins.isEmpty || pins.contains { pin in members.contains { layer.policy.pin(pin, matches: $0) } }
            }
        }
    }
}
