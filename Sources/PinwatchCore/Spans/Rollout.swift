/// That a target's addresses go from one chain to another, one after another.
package struct Rollout: Sendable, Hashable {
    package let from: ChainID
    package let to: ChainID
    package let startedAt: Instant
    /// Addresses that serve the new chain and not the old one.
    package let moved: Int
    /// Addresses that serve either.
    package let of: Int

    package init(from: ChainID, to: ChainID, startedAt: Instant, moved: Int, of: Int) {
        self.from = from
        self.to = to
        self.startedAt = startedAt
        self.moved = moved
        self.of = of
    }
}

/// How a rollout went on in a scan.
package struct RolloutUpdate: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case started
        /// Other addresses than before serve the new chain; it goes on.
        case went
        /// No address serves the old chain any longer.
        case finished
        /// No address serves the new chain any longer.
        case wentBack
        /// No address serves either: another chain took both their places.
        case overtaken

        package var ends: Bool { self == .finished || self == .wentBack || self == .overtaken }
    }

    package let rollout: Rollout
    package let step: Step

    package init(rollout: Rollout, step: Step) {
        self.rollout = rollout
        self.step = step
    }
}

/// The rules by which chains that follow one another are one rollout.
///
/// A change that all addresses make in one scan is none. Chains that alternate behind one address are two that are
/// served, and no way from one to the other.
package enum RolloutBook {
    /// - Parameters:
    ///   - transitions: Those of a scan.
    ///   - standing: Rollouts that had begun and not ended before it.
    ///   - spans: The target's spans as the scan leaves them.
    package static func updates(
        _ transitions: [ChainTransition], standing: [Rollout], spans: [Span], at: Instant
    ) -> [RolloutUpdate] {
        let addresses = Dictionary(spans.map { ($0.chain, $0.currentAddresses) }) { $0.union($1) }
        func serving(_ chain: ChainID) -> Set<IPAddress> { addresses[chain] ?? [] }
        let known = standing.compactMap { update($0, old: serving($0.from), new: serving($0.to)) }
        let begun = transitions.compactMap { transition -> RolloutUpdate? in
            let pair: Set<ChainID> = [transition.from, transition.to]
            // Addresses that go back are part of the rollout that they went forth in.
            guard !standing.contains(where: { pair == [$0.from, $0.to] }) else { return nil }
            let (old, new) = (serving(transition.from), serving(transition.to))
            guard !old.isSubset(of: new), !new.isSubset(of: old) else { return nil }
            let rollout = Rollout(from: transition.from, to: transition.to, startedAt: at, old: old, new: new)
            return RolloutUpdate(rollout: rollout, step: .started)
        }
        return known + begun
    }

    private static func update(_ rollout: Rollout, old: Set<IPAddress>, new: Set<IPAddress>) -> RolloutUpdate? {
        let now = Rollout(from: rollout.from, to: rollout.to, startedAt: rollout.startedAt, old: old, new: new)
        let step: RolloutUpdate.Step
        switch (old.isEmpty, new.isEmpty) {
        case (true, true): step = .overtaken
        case (true, false): step = .finished
        case (false, true): step = .wentBack
        case (false, false):
            guard now != rollout else { return nil }
            step = .went
        }
        return RolloutUpdate(rollout: now, step: step)
    }
}

extension Rollout {
    /// - Parameters:
    ///   - old: Addresses that serve the old chain now.
    ///   - new: Those that serve the new one.
    fileprivate init(from: ChainID, to: ChainID, startedAt: Instant, old: Set<IPAddress>, new: Set<IPAddress>) {
        self.init(
            from: from, to: to, startedAt: startedAt, moved: new.subtracting(old).count, of: old.union(new).count)
    }
}
