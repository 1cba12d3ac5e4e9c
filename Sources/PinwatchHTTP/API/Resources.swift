internal import PinwatchCore

/// `/api/v1` itself, and all that is under it.
enum Resources {
    /// Every route of the service, the document of them all among them.
    static func routes(
        _ context: ServiceContext, _ authentication: Authentication, _ meter: RequestMeter
    ) -> [Route] {
        let routes =
            [
                Summaries.routes, Targets.routes, TargetHistory.routes, Certificates.routes, Findings.routes,
                PinSets.routes, PinImport.routes, PinExport.routes, Lint.routes, Preflights.routes, Rotation.routes,
                Alerts.routes, Silences.routes, Events.routes, Deliveries.routes, Channels.routes,
                AlertRoutes.routes, Tokens.routes, Settings.routes, AuditTrail.routes, Health.routes,
            ].flatMap { $0(context) } + Sessions.routes(context, authentication) + [
                EventStream.route(context, authentication), Metrics.route(context, meter),
            ]
        let all = routes + [index(of: routes)]
        return all + [Document.route(of: all, context)]
    }

    /// What there is to read without an id, for whoever begins at the bottom.
    private static func index(of routes: [Route]) -> Route {
        let listed = routes.filter { route in
            route.method == .get && route.parameters.isEmpty && route.pattern.hasPrefix(Document.base + "/")
        }
        let links = listed.map { route in
            JSON.object([
                ("name", .string(String(route.pattern.dropFirst(Document.base.count + 1)))),
                ("href", .string(route.pattern)), ("summary", .string(route.operation.summary)),
            ])
        }
        let body = JSON.object([
            ("resources", .array(links)), ("openapi", .string(Document.path)),
        ])
        return Route(.get, Document.base, .listResources, access: .open) { _ in Response(json: body) }
    }
}
