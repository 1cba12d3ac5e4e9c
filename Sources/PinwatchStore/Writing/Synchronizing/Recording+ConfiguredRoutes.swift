internal import PinwatchCore

extension Recording {
    /// Keeps a row for each route of the configuration file and puts all routes in force. Routes have no name: one that
    /// differs is another one.
    mutating func synchronize(routes wanted: [Route]) throws(StoreError) {
        var left = wanted
        for known in try database.storedRoutes() where known.managedBy == .config {
            if let index = left.firstIndex(of: known.route) {
                left.remove(at: index)
            } else {
                try remove(route: known.id)
            }
        }
        for route in left { _ = try add(route, managedBy: .config) }
        policy.routes = try database.storedRoutes().map(\.route)
        if commit.topics.contains(.routes) { try judgeUntold() }
    }

    mutating func add(_ route: Route, managedBy: ManagedBy) throws(StoreError) -> Int64 {
        commit.topics.insert(.routes)
        return try database.number(
            """
            INSERT INTO route (body, managed_by, revision, created_at) VALUES (:body, :managed_by, 1, :now) RETURNING id
            """,
            [
                ("body", .text(route.stored.text)), ("managed_by", .text(managedBy.rawValue)), ("now", .at(now)),
            ])
    }

    mutating func remove(route id: Int64) throws(StoreError) {
        commit.topics.insert(.routes)
        try database.run("DELETE FROM route WHERE id = :id", [("id", .integer(id))])
    }

    /// What other routes can change by themselves: findings that no route wanted an alert for.
    func judgeUntold() throws(StoreError) {
        try database.run(
            """
            INSERT INTO evaluation (scope_key, next_change_at)
            SELECT DISTINCT scope_key, :now FROM finding WHERE alert_id IS NULL
            ON CONFLICT (scope_key) DO UPDATE SET next_change_at = excluded.next_change_at
            """, [("now", .at(now))])
    }
}
