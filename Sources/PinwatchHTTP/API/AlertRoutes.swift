internal import PinwatchCore

/// `routes`: which alerts and events go to which channels.
enum AlertRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        let admin = Access.role(.admin)
        let query = ListQuery()
        return [
            Route(.get, "/api/v1/routes", .listRoutes(query), access: admin) { call in
                try Page(of: try await context.managing.routes(), try query.request(call)).response(\.json)
            },
            Route(.post, "/api/v1/routes", .createRoute, access: admin, body: .json) { call in
                let edit = try call.read(AlertRouteEdit.creation) { AlertRouteEdit($0, &$1) }
                let record = try await context.change(.route, call) { store, change in
                    try await store.addRoute(edit.applied(to: PinwatchCore.Route(channels: [])), change)
                }
                return response(record, status: 201).adding([Noun.route.location(of: String(record.id))])
            },
            Route(.get, "/api/v1/routes/{id}", .readRoute, access: admin) { call in
                response(try await find(call, context))
            },
            Route(.patch, "/api/v1/routes/{id}", .changeRoute, access: admin, body: .json) { call in
                let edit = try call.read(AlertRouteEdit.change) { AlertRouteEdit($0, &$1) }
                let record = try await context.change(.route, call) { store, change in
                    let current = try await find(call, context)
                    // The route is merged from what was read, so that must be what is changed.
                    let change = Change(
                        by: change.principal, from: change.address, at: change.at,
                        expecting: change.expecting ?? current.revision)
                    return try await store.changeRoute(current.id, to: edit.applied(to: current.route), change)
                }
                return response(record)
            },
            Route(.delete, "/api/v1/routes/{id}", .deleteRoute, access: admin) { call in
                let id = try Noun.route.number(in: call)
                try await context.change(.route, call) { try await $0.removeRoute(id, $1) }
                return Response(status: 204)
            },
        ]
    }

    private static func find(_ call: Call, _ context: ServiceContext) async throws -> RouteRecord {
        try Noun.route.found(try await context.managing.route(try Noun.route.number(in: call)))
    }

    private static func response(_ record: RouteRecord, status: Int = 200) -> Response {
        Response(status: status, json: record.json, revision: record.revision)
    }
}

/// What a body says of a route.
struct AlertRouteEdit: Sendable {
    private static let severity = Member(
        "severity", Kind.list(of: .word(of: Severity.self), 0...3), orNull: true, "Only alerts of these; none for all.")
    private static let kind = Member(
        "kind", Kind.list(of: .word(of: FindingKind.self), 0...100), orNull: true,
        "Only alerts of these; none for all.")
    private static let labels = Member(
        "labels", Kind.labelChanges, orNull: true, "Only of targets that carry all of these.")
    private static let events = Member(
        "events", Kind.list(of: .word(of: EventKind.self), 0...100), orNull: true,
        "Events to tell beside alerts. A route of events alone tells no alerts.")
    private static let channels = Member(
        "channels", Kind.list(of: .name, 1...100).example(.strings(["ops"])), "Names of channels that there are.")

    private static let rest = BodyShape().taking(severity).taking(kind).taking(labels).taking(events)
    static let creation = rest.requiring(channels)
    static let change = rest.taking(channels)

    private let severities: Given<[Severity]>
    private let kinds: Given<[FindingKind]>
    private let labels: Given<[String: String?]>
    private let events: Given<[EventKind]>
    private let channels: Given<[String]>

    init(_ members: BodyMembers, _ reader: inout BodyReader) {
        severities = members.given(Self.severity, &reader)
        kinds = members.given(Self.kind, &reader)
        labels = members.given(Self.labels, &reader)
        events = members.given(Self.events, &reader)
        channels = members.given(Self.channels, &reader)
        if let names = channels.value, Set(names).count < names.count {
            reader.report(member: "channels", "names a channel twice")
        }
    }

    func applied(to route: PinwatchCore.Route) -> PinwatchCore.Route {
        var route = route
        severities.map { Set($0) }.merge(into: &route.severities, default: [])
        kinds.map { Set($0) }.merge(into: &route.kinds, default: [])
        events.map { Set($0) }.merge(into: &route.events, default: [])
        channels.merge(into: &route.channels, default: route.channels)
        labels.mergeLabels(into: &route.labels)
        return route
    }
}

extension Given where Value == [String: String?] {
    /// Sets and takes away labels by name; `null` takes all away.
    func mergeLabels(into labels: inout [String: String]) {
        switch self {
        case .absent: break
        case .null: labels = [:]
        case .value(let changes): for (name, value) in changes { labels[name] = value }
        }
    }
}
