internal import PinwatchCore

/// What addresses last answered, also where a later scan got nothing.
extension Recording {
    private struct Answer {
        let profile: HelloProfile
        let run: TargetMemory.Run
    }

    /// The handshake that each address which serves a chain last showed one in, but for narrowed hellos.
    func handshakes(of target: TargetID, _ memory: TargetMemory) throws(StoreError) -> [ServedHandshake] {
        var serving: Set<IPAddress> = []
        for span in memory.spans where span.closedAt == nil {
            serving.formUnion(span.currentAddresses)
        }
        var found: [ServedHandshake] = []
        for address in serving.sorted() {
            guard let answer = try answer(of: target, memory, at: address, to: .phone) else { continue }
            found.append(
                ServedHandshake(
                    address: address, profile: answer.profile, tlsVersion: answer.run.tlsVersion,
                    diffieHellmanBits: answer.run.diffieHellmanBits))
        }
        return found
    }

    /// Tells that timestamps went, by the answers before this scan's are written.
    mutating func tellTimestamps(of scan: Scan, _ memory: TargetMemory) throws(StoreError) {
        let target = scan.target
        let found = try typed {
            try TimestampJudge.event(
                of: scan, before: memory.spans, flapWindowSeconds: policy.thresholds.flapWindowSeconds,
                shown: { try shown(to: $0, of: target.id, memory) },
                leaf: { try assessment($0, target.settings.trustStore)?.leaf },
                lastTold: { try database.lastEvent(.sctDropped, of: target.id) })
        }
        if let found { try tell([found], target: target) }
    }

    private func shown(
        to observation: Observation, of target: TargetID, _ memory: TargetMemory
    ) throws(StoreError) -> TimestampJudge.Shown? {
        guard let address = observation.address,
            let run = try answer(of: target, memory, at: address, to: observation.profile)?.run
        else { return nil }
        return run.chain.map { TimestampJudge.Shown(chain: $0, scts: run.details.scts) }
    }

    /// The last answer with a chain to a hello; to the phone's or the legacy one, since that is sent in its place.
    private func answer(
        of target: TargetID, _ memory: TargetMemory, at address: IPAddress, to profile: HelloProfile
    ) throws(StoreError) -> Answer? {
        if let run = memory.runs[TargetMemory.Lane(address: address, profile: profile)], run.chain != nil,
            profile != .legacy
        {
            return Answer(profile: profile, run: run)
        }
        let profiles = profile.isNarrowed ? [profile] : [.phone, .legacy]
        let remembered = profiles.compactMap { profile in
            memory.runs[TargetMemory.Lane(address: address, profile: profile)].map { Answer(profile: profile, run: $0) }
        }
        if let last = Self.last(of: remembered.filter { $0.run.chain != nil }) { return last }
        var stored: [Answer] = []
        for profile in profiles {
            let lane = TargetMemory.Lane(address: address, profile: profile)
            guard let run = try newestRun(of: lane, target, showsChain: true) else { continue }
            stored.append(Answer(profile: profile, run: run))
        }
        return Self.last(of: stored)
    }

    private static func last(of answers: [Answer]) -> Answer? { answers.max { $0.run.lastAt < $1.run.lastAt } }
}

extension Database {
    fileprivate func lastEvent(_ kind: EventKind, of target: TargetID) throws(StoreError) -> Instant? {
        try row(
            "SELECT max(at) FROM event WHERE target_id = :target AND kind = :kind",
            [("target", .integer(target.rawValue)), ("kind", .text(kind.rawValue))])?.instantOrNil(0)
    }
}
