internal import PinwatchCore

extension Recording {
    /// Has the alerts begin and end their silence where one began or ended, and asks to be called again when the next
    /// one does.
    ///
    /// Only alerts that are open can differ, and what is found does not: each of their scopes is reconciled with the
    /// findings that it has. A recording in between has done the same for the hosts that it judged.
    mutating func judgeSilences() throws(StoreError) {
        let keys = try database.rows(
            "SELECT DISTINCT scope_key FROM finding WHERE alert_id IS NOT NULL ORDER BY scope_key")
        for row in keys { try reconcile(EvaluationScope(key: try row.text(0))) }
        guard let next = policy.nextSilenceChange(after: now) else {
            try database.run(
                "DELETE FROM evaluation WHERE scope_key = :scope", [("scope", .text(EvaluationScope.silences.key))])
            return
        }
        try database.schedule(.silences, at: max(next, now + 1))
    }

    /// Reconciles a scope's stored findings with themselves, for what has changed beside them.
    mutating func reconcile(_ scope: EvaluationScope) throws(StoreError) {
        let open = try openFindings(of: scope)
        var live: [Target] = []
        var removed: [Target] = []
        if case .host(let host) = scope { (live, removed) = try database.targets(of: host) }
        _ = try reconcile(scope, found: open.map(\.finding), open: open, about: live, removed: removed)
    }
}
