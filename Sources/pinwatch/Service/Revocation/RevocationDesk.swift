internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS

/// Looks at the revocation of every leaf that is served, when it comes, when another response is stapled to it, when an
/// answer ends, and otherwise as often as the configuration says. It goes on beside scanning and holds up none of it.
struct RevocationDesk: Sendable {
    /// Leaves that are taken up together, and looked at side by side.
    private static let batch = 32
    private static let sideBySide = 6
    /// Soonest after an answer that could not be had, and latest.
    private static let retrySeconds: Int64 = 3_600
    /// Soonest after an answer that ends at once.
    private static let shortest: Int64 = 600

    /// What the configuration in force says.
    let settings: @Sendable () -> Configuration.Revocation
    let store: Store
    let book: ChainBook
    let sources: RevocationSources
    let counts: RevocationCounts
    let clock: @Sendable () -> Instant

    /// Until the task is cancelled.
    func run() async {
        let looking = Attempts("look at what was revoked")
        while !Task.isCancelled {
            var more = false
            if settings().isEnabled { await looking.once { more = try await lookAtDue() } }
            if !more { try? await Task.sleep(for: .seconds(1)) }
        }
    }

    /// - Returns: Whether more may wait.
    private func lookAtDue() async throws -> Bool {
        let due = try await store.dueRevocations(now: clock(), limit: Self.batch)
        guard !due.isEmpty else { return false }
        var rest = due[...]
        var looks: [RevocationLook] = []
        await withTaskGroup(of: RevocationLook.self) { group in
            for one in rest.prefix(Self.sideBySide) { group.addTask { await look(at: one) } }
            rest = rest.dropFirst(Self.sideBySide)
            for await look in group {
                looks.append(look)
                if let next = rest.popFirst() { group.addTask { await self.look(at: next) } }
            }
        }
        guard !Task.isCancelled else { return false }
        try await store.record(looks, now: clock())
        counts.add(looks)
        return due.count == Self.batch
    }

    private func look(at leaf: RevocationCase) async -> RevocationLook {
        guard !leaf.servings.isEmpty else {
            return RevocationLook(leaf: leaf.leaf, found: nil, dueAt: leaf.dueAt, nextCheckAt: nil)
        }
        var found = await find(leaf)
        let now = clock()
        if let known = leaf.known, known.outlasts(found) {
            // When it was learnt stays, with why it could not be learnt anew.
            let why = found.detail
            found = known
            found.detail = why
        }
        return RevocationLook(
            leaf: leaf.leaf, found: found, dueAt: leaf.dueAt, nextCheckAt: next(after: found, at: now))
    }

    private func next(after found: Revocation, at now: Instant) -> Instant {
        let every = settings().everySeconds
        if found.status == .unavailable { return now + min(every, Self.retrySeconds) }
        // That it was revoked does not lapse with the answer.
        guard found.status != .revoked, let end = found.answer?.nextUpdate, end < now + every else {
            return now + every
        }
        return max(end, now + min(every, Self.shortest))
    }

    /// The staple if it holds, else what was asked not long ago, else what is asked now.
    private func find(_ leaf: RevocationCase) async -> Revocation {
        let now = clock()
        guard let question = question(about: leaf, at: now) else {
            return Revocation(
                without: .unavailable,
                detail: "The chain has no path to a trust anchor, so nobody is asked who is named in it.", at: now)
        }
        let stapled = await sources.newest(of: leaf.staples, to: question, at: now)
        if let answer = stapled.answer { return Revocation(answer, from: .stapledOCSP, at: now) }
        if let known = leaf.known, isFresh(known, at: now) { return known }
        let asked = await sources.ask(question, at: now)
        let faults = stapled.faults.prefix(1) + asked.faults
        let detail = faults.isEmpty ? nil : faults.prefix(4).joined(separator: " ")
        if let answer = asked.answer, let source = asked.source {
            return Revocation(answer, from: source, detail: detail, at: now)
        }
        if let detail { return Revocation(without: .unavailable, detail: detail, at: now) }
        return Revocation(
            without: .noneOffered, detail: "The certificate names neither an OCSP responder nor a revocation list.",
            at: now)
    }

    /// Whether an answer that was asked for is so new that nobody is asked again, whatever the server staples meanwhile.
    private func isFresh(_ known: Revocation, at now: Instant) -> Bool {
        guard let source = known.source, source != .stapledOCSP, known.answer?.holds(at: now) == true else {
            return false
        }
        let age = now.seconds(since: known.checkedAt)
        return age >= 0 && age < min(settings().everySeconds, Self.retrySeconds)
    }

    /// By the first way in which the leaf is served that leads to a trust anchor.
    private func question(about leaf: RevocationCase, at now: Instant) -> RevocationQuestion? {
        for serving in leaf.servings {
            let assessment = book.assess(serving.chain, trustStore: serving.trustStore, now: now)
            guard let path = assessment?.paths.first, let certificate = serving.chain.certificates.first else {
                continue
            }
            // A leaf that is itself the anchor has nobody above it.
            let issuer = path.certificates.dropFirst().first ?? path.anchor
            let anchors = book.trustStores[serving.trustStore]?.anchors ?? []
            guard issuer.fingerprint != certificate.fingerprint,
                let found = (serving.chain.certificates + anchors).first(where: { $0.fingerprint == issuer.fingerprint }
                ),
                let subject = try? RevocationSubject(certificate, issuer: found)
            else { continue }
            return RevocationQuestion(subject: subject, isPublic: path.source == .system)
        }
        return nil
    }
}
