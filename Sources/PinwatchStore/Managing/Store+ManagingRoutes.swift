package import PinwatchCore

extension Store {
    package func routes() async throws -> [RouteRecord] { try await read { database in try database.storedRoutes() } }

    package func route(_ id: Int64) async throws -> RouteRecord? {
        try await read { database in try database.storedRoute(id) }
    }

    package func addRoute(_ route: Route, _ change: Change) async throws -> RouteRecord {
        try await manage(change) { recording in
            try recording.check(route)
            let id = try recording.add(route, managedBy: .api)
            try recording.refreshRoutes()
            try recording.note(change, .routeCreate, route.audited(id), FieldChanges(from: nil, to: route.fields))
            return RouteRecord(id: id, route: route, managedBy: .api, revision: 1)
        }
    }

    package func changeRoute(_ id: Int64, to route: Route, _ change: Change) async throws -> RouteRecord {
        try await manage(change) { recording in
            let known = try recording.managedRoute(id, change)
            try recording.check(route)
            guard route != known.route else { return known }
            try recording.replace(id, by: route)
            try recording.refreshRoutes()
            try recording.note(
                change, .routeUpdate, route.audited(id), FieldChanges(from: known.route.fields, to: route.fields))
            return RouteRecord(id: id, route: route, managedBy: .api, revision: known.revision + 1)
        }
    }

    package func removeRoute(_ id: Int64, _ change: Change) async throws {
        try await manage(change) { recording in
            let known = try recording.managedRoute(id, change)
            try recording.remove(route: id)
            try recording.refreshRoutes()
            try recording.note(change, .routeDelete, known.route.audited(id))
        }
    }
}

extension Recording {
    fileprivate func check(_ route: Route) throws(ChangeRefusal) {
        guard !route.channels.isEmpty else {
            throw .invalid(field: "channels", message: "a route names at least one channel")
        }
        if let stranger = route.channels.first(where: { !policy.channels.contains($0) }) {
            throw .invalid(field: "channels", message: "there is no channel `\(stranger)`")
        }
    }

    fileprivate mutating func replace(_ id: Int64, by route: Route) throws(StoreError) {
        commit.topics.insert(.routes)
        try database.run(
            "UPDATE route SET body = :body, revision = revision + 1 WHERE id = :id",
            [("body", .text(route.stored.text)), ("id", .integer(id))])
    }

    fileprivate mutating func refreshRoutes() throws(StoreError) {
        policy.routes = try database.storedRoutes().map(\.route)
        try judgeUntold()
    }

    /// A route that is there and may be changed so.
    fileprivate func managedRoute(_ id: Int64, _ change: Change) throws -> RouteRecord {
        guard let known = try database.storedRoute(id) else { throw ChangeRefusal.unknown }
        try change.check(known.managedBy, revision: known.revision)
        return known
    }
}

extension Route {
    fileprivate func audited(_ id: Int64) -> AuditObject { AuditObject(type: "route", id: String(id), name: label) }
}

extension Database {
    fileprivate func storedRoute(_ id: Int64) throws(StoreError) -> RouteRecord? {
        let found = try row("SELECT \(RouteRecord.columns) FROM route WHERE id = :id", [("id", .integer(id))])
        guard let row = found else { return nil }
        return try RouteRecord(row: row)
    }
}
