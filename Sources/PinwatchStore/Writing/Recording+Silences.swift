internal import PinwatchCore

extension Recording {
    /// Scopes whose alerts follow a silence in one transaction; of further ones each is judged by itself, as the clock
    /// has it.
    private static let scopesAtOnce = 500

    /// Has the alerts begin and end their silence where one began or ended, and asks to be called again when the next
    /// one does.
    ///
    /// What is found does not differ, so the scopes of those alerts are reconciled with the findings that they have. A
    /// recording in between has done the same for the hosts that it judged.
    ///
    /// - Parameter changed: The one silence that may have begun or ended; `nil` for any.
    mutating func judgeSilences(changed: SilenceID? = nil) throws(StoreError) {
        try reconcile(try scopes(changed: changed))
        guard let next = policy.nextSilenceChange(after: now) else {
            try database.run(
                "DELETE FROM evaluation WHERE scope_key = :scope", [("scope", .text(EvaluationScope.silences.key))])
            return
        }
        try database.schedule(.silences, at: max(next, now + 1))
    }

    /// Scopes that have an alert whose silence is over, or one that is not silenced and may be covered by a silence now.
    private func scopes(changed: SilenceID?) throws(StoreError) -> [String] {
        let active = policy.activeSilences(at: now)
        var keys = try scopes(left: active.map(\.id), changed: changed)
        for silence in active where changed.map({ $0 == silence.id }) ?? true {
            let reach = SilenceReach(silence.silence.matchers)
            for row in try database.rows(
                reach.findings("finding.scope_key", states: [.open, .acknowledged]), reach.values)
            {
                keys.insert(try row.text(0))
            }
        }
        return keys.sorted()
    }

    /// Scopes with alerts that a silence holds which is not active any more.
    private func scopes(left active: [SilenceID], changed: SilenceID?) throws(StoreError) -> Set<String> {
        var over: [SilenceID] = []
        if let changed {
            over = [changed]
        } else {
            for row in try database.rows(
                "SELECT DISTINCT silenced_by FROM alert WHERE silenced_by IS NOT NULL AND silenced_by <> :vantage",
                [("vantage", .text(FindingKind.vantageSuspect.rawValue))])
            {
                guard let id = Int64(try row.text(0)) else { throw row.wrong(0, "a silence's number") }
                over.append(SilenceID(id))
            }
        }
        var keys: Set<String> = []
        for id in over where !active.contains(id) { keys.formUnion(try database.scopes(heldBy: id.text)) }
        return keys
    }

    /// Reconciles scopes with the findings that they have, as many as one transaction bears; the rest is judged next.
    mutating func reconcile(_ keys: [String]) throws(StoreError) {
        for key in keys.prefix(Self.scopesAtOnce) { try reconcile(EvaluationScope(key: key)) }
        for key in keys.dropFirst(Self.scopesAtOnce) { try database.schedule(EvaluationScope(key: key), at: now) }
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

extension Database {
    /// The scopes of alerts that are held back by what an alert's `silenced_by` names.
    func scopes(heldBy name: String) throws(StoreError) -> Set<String> {
        let found = try rows(
            """
            SELECT DISTINCT finding.scope_key FROM alert CROSS JOIN finding ON finding.alert_id = alert.id
            WHERE alert.silenced_by = :name
            """, [("name", .text(name))])
        return Set(try found.map { row throws(StoreError) in try row.text(0) })
    }
}
