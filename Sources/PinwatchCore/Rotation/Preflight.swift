/// What releases would make of a candidate before it is served: the answer to a ``PreflightQuestion``.
package struct Preflight: Sendable {
    /// One release's answer.
    package struct Row: Sendable {
        package let release: PreflightRelease
        package let verdict: ReleaseVerdict
        /// What it makes of what is served now, the worst of several chains; `nil` where nothing is known to be served.
        package let now: VerdictKind?

        package init(release: PreflightRelease, verdict: ReleaseVerdict, now: VerdictKind?) {
            self.release = release
            self.verdict = verdict
            self.now = now
        }

        /// Whether it counts for going on or stopping: a debug build is nobody's outage.
        package var decides: Bool { release.definition.identity.variant == .release }
    }

    package let host: String
    /// In the order of the releases. Those that say nothing of the host are there only if all do, or if they were asked
    /// for by name.
    package let rows: [Row]
    /// What the answer rests on beside the candidate, as sentences.
    package let assumed: [String]
    /// Whether all targets that stand for the host are of third parties. Whoever rotates there does not ask, so what
    /// releases make of the candidate is told, and neither go nor stop.
    package let isThirdParty: Bool

    package init(host: String, rows: [Row], assumed: [String], isThirdParty: Bool = false) {
        self.host = host
        self.rows = rows
        self.assumed = assumed
        self.isThirdParty = isThirdParty
    }

    /// How a command would end: the worst release decides, of a host of ours.
    package var status: CheckExit {
        isThirdParty ? .couldNotTell : worst
    }

    private var worst: CheckExit {
        CheckExit.worst(rows.filter(\.decides).map { CheckExit($0.verdict.deciding) })
    }

    /// `true` to go on, `false` to stop, `nil` where some release cannot be told, or the host is a third
    /// party's.
    package var go: Bool? {
        switch status {
        case .fine: true
        case .bad, .inputError: false
        case .couldNotTell: nil
        }
    }

    /// - Parameter showsAll: Whether releases that say nothing of the host are kept, as where their files were named.
    package static func run(
        _ question: PreflightQuestion, of releases: [PreflightRelease], knowing knowledge: PreflightKnowledge,
        showsAll: Bool = false
    ) throws -> Preflight {
        var judge = PreflightJudge(question: question, knowledge: knowledge)
        var rows: [Row] = []
        for release in releases { rows.append(try judge.row(release)) }
        let telling = rows.filter(\.verdict.saysSomethingOfHost)
        return Preflight(
            host: question.host, rows: showsAll || telling.isEmpty ? rows : telling, assumed: judge.assumed,
            isThirdParty: question.targets.map { !$0.isEmpty && $0.allSatisfy { $0.owner == .thirdParty } } ?? false)
    }
}

extension ReleaseVerdict {
    /// Whether the release's pins have to do with the host. A refusal of all hosts that are not listed has not.
    var saysSomethingOfHost: Bool {
        switch deciding.kind {
        case .accept, .acceptReport, .rejectChain, .configError, .dependsOnPath, .unknown: true
        case .rejectPin: deciding.isAboutHost
        case .unpinned: deciding.by == .trap
        case .notEvaluated: false
        }
    }
}

/// Asks one release after another, and keeps what was assumed on the way.
struct PreflightJudge {
    let question: PreflightQuestion
    let knowledge: PreflightKnowledge
    /// Each sentence once, in the order in which it came up.
    private(set) var assumed: [String] = []
    private var prepared: [String: PreflightCases] = [:]

    init(question: PreflightQuestion, knowledge: PreflightKnowledge) {
        self.question = question
        self.knowledge = knowledge
    }

    mutating func row(_ release: PreflightRelease) throws -> Preflight.Row {
        let definition = release.definition
        if let targets = question.targets, !targets.contains(where: definition.isKnownToConnect) {
            return Preflight.Row(release: release, verdict: definition.notKnownToConnect, now: nil)
        }
        let cases = try cases(in: definition.trustStore ?? question.trustStore)
        let now = cases.served.map { verdict(of: definition, on: $0).deciding }.min { $0.rank < $1.rank }
        guard let candidate = cases.candidate else {
            return Preflight.Row(
                release: release, verdict: definition.unknown(trustStore: cases.trustStore), now: now?.kind)
        }
        let judged: [(PreflightHypothesis, ReleaseVerdict)]
        switch candidate {
        case .ways(let ways): judged = ways.map { ($0, verdict(of: definition, on: $0.assessment)) }
        case .anyIssuer(let leaf, let sources):
            judged = PreflightHypothesis.issuers(
                of: leaf, for: definition, sources: sources, trustStore: cases.trustStore, question
            ).map { ($0, verdict(of: definition, on: $0.assessment)) }
        }
        return Preflight.Row(release: release, verdict: PreflightSettling.settled(judged), now: now?.kind)
    }

    private mutating func cases(in trustStore: String) throws -> PreflightCases {
        if let known = prepared[trustStore] { return known }
        let cases = try PreflightCases(question, knowledge, trustStore: trustStore)
        prepared[trustStore] = cases
        for sentence in cases.assumed where !assumed.contains(sentence) { assumed.append(sentence) }
        return cases
    }

    private func verdict(of definition: PinSetDefinition, on assessment: ChainAssessment) -> ReleaseVerdict {
        ReleaseVerdict.judge(
            definition,
            presentation: Presentation(
                host: question.host, assessment: assessment,
                verification: assessment.verification(at: question.now, for: question.reference), now: question.now))
    }
}
