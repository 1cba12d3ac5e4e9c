internal import PinwatchCore

/// What belongs to one target: `spans`, `observations` and `verdicts`.
enum TargetHistory {
    static func routes(_ context: ServiceContext) -> [Route] {
        let spans = ListQuery(filters: ["open": .flag, "key_family": .word(KeyFamily.allCases.map(\.rawValue))])
        let plain = ListQuery()
        return [
            Route(.get, "/api/v1/targets/{id}/spans", .listSpans(spans)) { call in
                let request = try spans.request(call)
                let target = try await Targets.find(call, context).target
                return try await context.store.spans(of: target.id, request).response(\.json)
            },
            Route(.get, "/api/v1/targets/{id}/observations", .listObservations(plain)) { call in
                let request = try plain.request(call)
                let target = try await Targets.find(call, context).target
                return try await context.store.observations(of: target.id, request).response(\.json)
            },
            Route(.get, "/api/v1/targets/{id}/verdicts", .listVerdicts(plain)) { call in
                let request = try plain.request(call)
                let target = try await Targets.find(call, context).target
                let accepted = try await context.store.accepted(of: target.id).map(\.json)
                return try await context.store.verdicts(of: target.id, request)
                    .response(more: [("accepted", .array(accepted))], \.json)
            },
        ]
    }
}
