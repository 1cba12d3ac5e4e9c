internal import PinwatchCore

/// `verdicts`, `runway`, `coverage` and `targets/{id}/matrix`: what releases make of what is served, and until when.
enum Rotation {
    private static let verdicts = ListQuery(filters: [
        "target_id": .id, "pin_set_id": .id, "app": .text, "verdict": .word(VerdictKind.allCases.map(\.rawValue)),
    ])
    private static let runway = ListQuery(filters: [
        "kind": .word(Upcoming.Kind.allCases.map(\.rawValue)), "app": .text, "target_id": .id, "pin_set_id": .id,
    ])

    static func routes(_ context: ServiceContext) -> [Route] {
        let shared = SharedAnswers()
        return [
            Route(.get, "/api/v1/verdicts", .listAllVerdicts(verdicts)) { call in
                try await context.store.verdicts(verdicts.request(call)).response(\.json)
            },
            Route(.get, "/api/v1/runway", .listRunway(runway)) { call in
                try await context.store.runway(runway.request(call), now: call.now).response { $0.json(now: call.now) }
            },
            Route(.get, "/api/v1/coverage", .readCoverage) { call in
                try await shared.answer(call, version: context.store.version) {
                    Response(json: try await context.store.coverage(now: call.now).json)
                }
            },
            Route(.get, "/api/v1/targets/{id}/matrix", .readMatrix) { call in
                let target = try await Targets.find(call, context).target
                do {
                    let matrix = try Noun.target.found(try await context.rotation.matrix(of: target.id, now: call.now))
                    return Response(json: matrix.json(now: call.now))
                } catch let refusal as PinFilesRefusal {
                    throw Problem(refusal, "The target")
                }
            },
        ]
    }
}
