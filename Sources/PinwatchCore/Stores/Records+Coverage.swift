/// A stored verdict among those of all targets.
package struct TargetVerdictRecord: Sendable {
    /// The target's label.
    package var target: String
    package var verdict: VerdictRecord
    package init(target: String, verdict: VerdictRecord) {
        self.target = target
        self.verdict = verdict
    }
}

/// What is pinned and not watched, and watched and not pinned; the first of each, and how many there are.
package struct CoverageRecord: Sendable {
    /// The most items of each.
    package static let limit = 200

    package struct UnpinnedTarget: Sendable, Hashable {
        package var id: TargetID
        package var label: String
        package init(id: TargetID, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// Targets that no release pins, those found first in front.
    package var unpinned: [UnpinnedTarget]
    package var unpinnedTotal: Int
    /// Hosts that releases pin and no target stands for, by name.
    package var unscanned: [Coverage.Unscanned]
    package var unscannedTotal: Int

    package init(
        unpinned: [UnpinnedTarget], unpinnedTotal: Int, unscanned: [Coverage.Unscanned], unscannedTotal: Int
    ) {
        self.unpinned = unpinned
        self.unpinnedTotal = unpinnedTotal
        self.unscanned = unscanned
        self.unscannedTotal = unscannedTotal
    }
}
