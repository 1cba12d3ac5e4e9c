internal import PinwatchCore

extension Recording {
    /// Adds, changes and removes the targets that the configuration file manages; one that came by the API and stands
    /// in the file too is the file's from then on.
    mutating func synchronize(targets wanted: [TargetSettings]) throws(StoreError) {
        var stored = try storedTargets()
        for settings in wanted {
            guard let known = stored.removeValue(forKey: settings.identity) else {
                _ = try add(settings)
                continue
            }
            if known.removed {
                try revive(Target(id: known.target.id, settings: settings))
            } else if known.target.settings != settings {
                try change(known.target.id, to: settings)
            } else if known.period != period(of: settings) {
                try movePeriod(of: known.target.id, settings)
            }
        }
        for known in stored.values.sorted(by: { $0.target.id < $1.target.id }) where !known.removed {
            let settings = known.target.settings
            switch settings.managedBy {
            case .config: try remove(known.target)
            case .api:
                if known.period != period(of: settings) { try movePeriod(of: known.target.id, settings) }
            }
        }
    }

    private struct StoredTarget {
        let target: Target
        let removed: Bool
        let period: Int64?
    }

    private func storedTargets() throws(StoreError) -> [TargetIdentity: StoredTarget] {
        var stored: [TargetIdentity: StoredTarget] = [:]
        for row in try database.rows(
            """
            SELECT \(Target.columns), target.removed_at, status.period_s
            FROM target LEFT JOIN target_status status ON status.target_id = target.id
            """)
        {
            let target = try Target(row: row, at: 0)
            stored[target.identity] = StoredTarget(
                target: target, removed: try row.instantOrNil(Target.columnCount) != nil,
                period: try row.integerOrNil(Target.columnCount + 1))
        }
        return stored
    }
}
