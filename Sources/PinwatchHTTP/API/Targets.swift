internal import PinwatchCore

/// `targets` and `targets/{id}`.
enum Targets {
    static func routes(_ context: ServiceContext) -> [Route] {
        let query = ListQuery(
            sorts: ["host", "last_scan_at", "state", "leaf.not_after"],
            filters: [
                "state": .word(TargetCondition.allCases.map(\.rawValue)),
                "owner": .word(Owner.allCases.map(\.rawValue)),
                "host": .text, "label": .label, "stale": .flag,
            ])
        return [
            Route(.get, "/api/v1/targets") { call in
                try await context.store.targets(query.request(call)).response { shape($0, context) }
            },
            Route(.get, "/api/v1/targets/{id}") { call in
                try ListQuery.none(call)
                return Response(json: shape(try await find(call, context), context))
            },
        ]
    }

    /// The target that the path's `{id}` names.
    ///
    /// - Throws: A ``Problem`` 404 if there is none.
    static func find(_ call: Call, _ context: ServiceContext) async throws -> TargetRecord {
        guard let id = Identifier.number(call.parameter("id")),
            let record = try await context.store.target(TargetID(id))
        else { throw Problem(404, "There is no target with this id; /api/v1/targets lists them.") }
        return record
    }

    private static func shape(_ record: TargetRecord, _ context: ServiceContext) -> JSON {
        let unicode =
            switch record.target.host {
            case .name(let name): context.idna.unicode(name)
            case .address(let address): address.description
            }
        return record.json(
            unicode: unicode, periodSeconds: record.target.settings.periodSeconds ?? context.defaultPeriodSeconds,
            addressPolicy: context.addressPolicy)
    }
}
