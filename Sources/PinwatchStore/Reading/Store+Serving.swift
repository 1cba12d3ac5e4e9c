package import PinwatchCore

/// A target with the chains that it serves now, for whoever judges them beside the store.
package struct ServingTarget: Sendable {
    package let state: TargetState
    /// Those of its open spans.
    package let chains: [ChainID: Chain]
}

extension Store {
    /// Targets of one host that are looked at together: ports, names sent and dialogues of one machine.
    private static let servingTargets = 20

    /// A target as judgement sees it; `nil` where there is none.
    package func serving(_ id: TargetID, now: Instant) async throws -> ServingTarget? {
        let window = await policyInForce().thresholds.flapWindowSeconds
        return try await read { database in
            let found = try database.row(
                "SELECT \(Target.columns) FROM target WHERE id = :id AND removed_at IS NULL",
                [("id", .integer(id.rawValue))])
            guard let row = found else { return nil }
            return try database.serving(try Target(row: row, at: 0), window, now: now)
        }
    }

    /// The first targets of a host, in the order made.
    ///
    /// - Parameter host: Lower case, without a trailing dot.
    package func serving(host: String, now: Instant) async throws -> [ServingTarget] {
        let window = await policyInForce().thresholds.flapWindowSeconds
        return try await read { database in
            try database.targets(of: host).live.prefix(Self.servingTargets)
                .compactMap { try database.serving($0, window, now: now) }
        }
    }

    /// What judgement goes by.
    package func policyInForce() async -> EvaluationPolicy { await writer.policy }

    /// In the order made.
    package nonisolated var pinSetsInForce: [PinSet] { writer.pinSetsInForce.byID.values.sorted { $0.id < $1.id } }
}

extension Database {
    fileprivate func serving(
        _ target: Target, _ flapWindowSeconds: Int64, now: Instant
    ) throws(StoreError) -> ServingTarget? {
        let memory = try TargetMemory.load(target.id, flapWindowSeconds: flapWindowSeconds, now: now, from: self)
        // Judged by releases alone, which do not go by versions.
        guard let state = memory?.state(of: target, handshakes: []) else { return nil }
        var chains: [ChainID: Chain] = [:]
        for span in state.openSpans where chains[span.chain] == nil { chains[span.chain] = try chain(span.chain) }
        return ServingTarget(state: state, chains: chains)
    }
}
