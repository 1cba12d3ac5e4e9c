internal import PinwatchCore

/// `targets`, `targets/{id}`, and what is asked of one: a scan.
enum Targets {
    private static let query = ListQuery(
        sorts: ["host", "last_scan_at", "state", "leaf.not_after"],
        filters: [
            "state": .word(TargetCondition.allCases.map(\.rawValue)), "owner": .word(Owner.allCases.map(\.rawValue)),
            "host": .text, "label": .label, "stale": .flag, "paused": .flag, "managed_by": .managedBy,
        ])

    static func routes(_ context: ServiceContext) -> [Route] {
        let shared = SharedAnswers()
        return [
            Route(.get, "/api/v1/targets", .listTargets(query)) { call in
                try await shared.answer(call, version: context.store.version) {
                    try await context.store.targets(query.request(call)).response { context.json($0) }
                }
            },
            Route(.post, "/api/v1/targets", .createTargets, access: .role(.editor), body: .json) { call in
                try await create(call, context)
            },
            Route(
                .post, "/api/v1/targets/preview", .previewTargets, access: .role(.editor), body: .json
            ) { call in
                try await TargetPreview.answer(call, context)
            },
            Route(.get, "/api/v1/targets/{id}", .readTarget) { call in
                context.response(try await find(call, context))
            },
            Route(.patch, "/api/v1/targets/{id}", .changeTarget, access: .role(.editor), body: .json) { call in
                try await change(call, context)
            },
            Route(.delete, "/api/v1/targets/{id}", .deleteTarget, access: .role(.editor)) { call in
                let id = TargetID(try Noun.target.number(in: call))
                try await context.change(.target, call) { try await $0.removeTarget(id, $1) }
                return Response(status: 204)
            },
            Route(.post, "/api/v1/targets/{id}/scan", .scanTarget, access: .role(.editor)) { call in
                try await TargetScan.answer(call, context)
            },
        ]
    }

    /// The target that the path's `{id}` names.
    ///
    /// - Throws: A ``Problem`` 404 if there is none.
    static func find(_ call: Call, _ context: ServiceContext) async throws -> TargetRecord {
        try Noun.target.found(try await context.store.target(TargetID(try Noun.target.number(in: call))))
    }

    private static func create(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let rules = await TargetRules(context)
        let body = try call.read { TargetBody.read($0, rules, &$1) }
        let made = try await context.change(.target, call) { store, change in
            do {
                return try await store.addTargets(body.settings, change)
            } catch ChangeRefusal.someExist(let existing) {
                throw body.refusal(existing)
            }
        }
        switch body {
        case .one:
            guard let record = made.first else { throw Noun.target.missing }
            return context.response(record, status: 201).adding([Noun.target.location(of: record.target.id.text)])
        case .many:
            return Response(status: 201, json: .object([("items", .array(made.map(context.json)))]))
        }
    }

    private static func change(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let rules = await TargetRules(context)
        let edit = try call.read(TargetEdit.shape) { TargetEdit($0, rules, &$1) }
        let id = TargetID(try Noun.target.number(in: call))
        let record = try await context.change(.target, call) { store, change in
            try await store.changeTarget(id, change) { settings throws(ChangeRefusal) in try edit.apply(to: &settings) }
        }
        return context.response(record)
    }
}

extension ServiceContext {
    /// The contract's `target`.
    func json(_ record: TargetRecord) -> JSON {
        let scan = scan()
        return record.json(
            unicode: unicode(record.target.host), periodSeconds: scan.periodSeconds, addressPolicy: scan.addresses,
            clientCertificate: clientCertificate(record.target.identity))
    }

    func response(_ record: TargetRecord, status: Int = 200) -> Response {
        Response(status: status, json: json(record), revision: record.revision)
    }

    /// A host as people write it.
    func unicode(_ host: TargetHost) -> String {
        switch host {
        case .name(let name): idna.unicode(name)
        case .address(let address): address.description
        }
    }
}
