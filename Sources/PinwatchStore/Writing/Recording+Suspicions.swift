internal import PinwatchCore

/// Whether this installation's view is in doubt, and what is held back because of it. See ``Vantage``.
extension Recording {
    /// Judges hosts, after what they serve has told whether a suspicion begins, so that nothing is told of them that it
    /// explains.
    mutating func judge(hosts: [String]) throws(StoreError) {
        for host in hosts { try followAuthorities(of: host) }
        let begun = try beginSuspicions()
        for host in hosts { try judge(host: host) }
        for key in begun { try holdBack(on: key) }
        let suspicions = try database.number("SELECT count(*) FROM suspicion")
        if suspicions > 0 { try judge(.installation) }
    }

    /// - Returns: The authorities whose suspicion begins, or begins again.
    private mutating func beginSuspicions() throws(StoreError) -> [String] {
        guard !candidates.isEmpty else { return [] }
        var begun: [String] = []
        let window = Vantage.windowSeconds(periodSeconds: policy.periodSeconds)
        let known = try database.suspicions()
        for (key, name) in candidates.sorted(by: { $0.key < $1.key }) {
            if let old = known.first(where: { $0.key == key }) {
                let next = old.standing(domains: try database.extent(of: key).domains, windowSeconds: window, now: now)
                guard next.isActive, !old.isActive else { continue }
                try database.keep(next)
            } else {
                guard let group = try database.group(on: key, windowSeconds: window, now: now),
                    group.isSuspect(windowSeconds: window, now: now)
                else { continue }
                try database.add(Suspicion(key: key, name: name, begunAt: now))
            }
            begun.append(key)
        }
        candidates = [:]
        if !begun.isEmpty { options.checkpoint("store.record.after_suspicion") }
        return begun
    }

    /// Brings the suspicions in line with what targets serve and with the clock, and has what they no longer explain
    /// told.
    ///
    /// - Returns: The active ones, and when the first of them may change by itself.
    mutating func followSuspicions() throws(StoreError) -> (active: [SuspectedAuthority], nextChange: Instant?) {
        let window = Vantage.windowSeconds(periodSeconds: policy.periodSeconds)
        var (active, changes, isOver) = ([SuspectedAuthority](), [Instant](), false)
        for known in try database.suspicions() {
            let (targets, domains) = try database.extent(of: known.key)
            let next = known.standing(domains: domains, windowSeconds: window, now: now)
            if targets == 0 {
                try database.run("DELETE FROM suspicion WHERE authority = :key", [("key", .text(known.key))])
            } else if next != known {
                try database.keep(next)
            }
            if known.isActive, targets == 0 || !next.isActive { isOver = true }
            guard targets > 0, next.isActive else { continue }
            if !known.isActive { try holdBack(on: known.key) }
            active.append(
                SuspectedAuthority(
                    next, targets: targets, domains: domains, examples: try database.labels(on: known.key)))
            if let change = next.nextChange(windowSeconds: window) { changes.append(change) }
        }
        if isOver { try release() }
        return (active, changes.min())
    }

    /// Has the alerts of targets on an authority that were told already follow the suspicion.
    private mutating func holdBack(on authority: String) throws(StoreError) {
        let found = try database.rows(
            """
            SELECT DISTINCT finding.scope_key FROM target_authority on_it
            CROSS JOIN finding ON finding.target_id = on_it.target_id
            CROSS JOIN alert ON alert.id = finding.alert_id
            WHERE on_it.authority = :authority AND alert.state IN ('open', 'acknowledged')
            """, [("authority", .text(authority))])
        try reconcile(try found.map { row throws(StoreError) in try row.text(0) })
    }

    private mutating func release() throws(StoreError) {
        try reconcile(try database.scopes(heldBy: FindingKind.vantageSuspect.rawValue).sorted())
    }
}

extension Database {
    fileprivate func suspicions() throws(StoreError) -> [Suspicion] {
        try rows("SELECT authority, name, begun_at, eased_at, active FROM suspicion ORDER BY begun_at, authority")
            .map { row throws(StoreError) in
                Suspicion(
                    key: try row.text(0), name: try row.text(1), begunAt: try row.instant(2),
                    easedAt: try row.instantOrNil(3), isActive: try row.flag(4))
            }
    }

    fileprivate func add(_ suspicion: Suspicion) throws(StoreError) {
        try run(
            "INSERT INTO suspicion (authority, name, begun_at, active) VALUES (:authority, :name, :begun, 1)",
            [
                ("authority", .text(suspicion.key)), ("name", .text(suspicion.name)),
                ("begun", .at(suspicion.begunAt)),
            ])
    }

    fileprivate func keep(_ suspicion: Suspicion) throws(StoreError) {
        try run(
            "UPDATE suspicion SET eased_at = :eased, active = :active WHERE authority = :authority",
            [
                ("eased", .optional(suspicion.easedAt)), ("active", .flag(suspicion.isActive)),
                ("authority", .text(suspicion.key)),
            ])
    }

    fileprivate func extent(of authority: String) throws(StoreError) -> (targets: Int, domains: Int) {
        let found = try row(
            "SELECT count(*), count(DISTINCT domain) FROM target_authority WHERE authority = :authority",
            [("authority", .text(authority))])
        return (try found?.whole(0) ?? 0, try found?.whole(1) ?? 0)
    }

    /// At most 50, those that came first.
    fileprivate func labels(on authority: String) throws(StoreError) -> [String] {
        try rows(
            """
            SELECT \(Target.columns) FROM target_authority on_it JOIN target ON target.id = on_it.target_id
            WHERE on_it.authority = :authority ORDER BY on_it.since_at, on_it.target_id LIMIT 50
            """, [("authority", .text(authority))]
        ).map { row throws(StoreError) in try Target(row: row, at: 0).identity.label }
    }
}
