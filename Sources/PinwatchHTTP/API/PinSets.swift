internal import PinwatchCore

/// `pin-sets`: native pin files, stored by their text.
enum PinSets {
    private static let query = ListQuery(filters: [
        "app": .text, "release": .text, "variant": .word(Variant.allCases.map(\.rawValue)), "managed_by": .managedBy,
    ])
    static let preview = Operation.Parameter(
        name: "preview", about: "With `true` the answer says what was understood, and nothing is stored.",
        schema: .flag)
    /// Pin files may hold whole network security configurations.
    private static let body: BodyRule = .json

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/pin-sets", .listPinSets(query)) { call in
                try await context.managing.pinSets(query.request(call)).response(\.json)
            },
            Route(.post, "/api/v1/pin-sets", .createPinSet, access: .role(.editor), body: body) { call in
                try await create(call, context)
            },
            Route(.get, "/api/v1/pin-sets/{id}", .readPinSet) { call in
                try await response(try await find(call, context), call, context)
            },
            Route(.patch, "/api/v1/pin-sets/{id}", .changePinSet, access: .role(.editor), body: body) { call in
                let text = try call.read(PinSetBody.change) { $0.value(PinSetBody.source, &$1) }
                let id = PinSetID(try Noun.pinSet.number(in: call))
                let definition = try understood(text, context)
                let record = try await context.change(.pinSet, call) {
                    try await $0.changePinSet(id, to: definition, $1)
                }
                return try await response(record, call, context)
            },
            Route(.delete, "/api/v1/pin-sets/{id}", .deletePinSet, access: .role(.editor)) { call in
                let id = PinSetID(try Noun.pinSet.number(in: call))
                try await context.change(.pinSet, call) { try await $0.removePinSet(id, $1) }
                return Response(status: 204)
            },
        ]
    }

    private static func create(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let isPreview = try isPreview(call)
        let text = try PinSetBody.text(of: call)
        let definition = try understood(text, context)
        guard !isPreview else {
            return Response(
                json: .object(
                    definition.members() + [("source", .string(text)), ("problems", definition.problems)]))
        }
        let record = try await context.change(.pinSet, call) { try await $0.addPinSet(definition, $1) }
        return try await response(record, call, context, status: 201)
            .adding([Noun.pinSet.location(of: record.pinSet.id.text)])
    }

    static func isPreview(_ call: Call) throws(Problem) -> Bool { try flag(preview.name, call) }

    /// A field of the query that is true or false; false where it is not given.
    static func flag(_ name: String, _ call: Call) throws(Problem) -> Bool {
        guard let field = call.target.query.first(where: { $0.name == name }) else { return false }
        guard let flag = Bool(field.value) else {
            throw Problem(
                400, "The query cannot be used; see errors.",
                errors: [.init(field: name, message: "must be true or false")])
        }
        return flag
    }

    /// The pin set that the path's `{id}` names.
    ///
    /// - Throws: A ``Problem`` 404 if there is none.
    static func find(_ call: Call, _ context: ServiceContext) async throws -> PinSetRecord {
        let id = PinSetID(try Noun.pinSet.number(in: call))
        return try Noun.pinSet.found(try await context.managing.pinSet(id))
    }

    /// - Throws: A ``Problem`` 422 with every fault of the text at its line and column.
    static func understood(_ text: String, _ context: ServiceContext) throws -> PinSetDefinition {
        do throws(TextFaults) {
            return try context.administration.pinSet(fromSource: text)
        } catch {
            throw Problem(
                422, "The pin file cannot be read; see errors.",
                errors: error.problems.map { problem in
                    let place = problem.mark.map { "\($0.line):\($0.column)" } ?? PinSetBody.source.name
                    return .init(field: place, message: problem.message)
                })
        }
    }

    private static func response(
        _ record: PinSetRecord, _ call: Call, _ context: ServiceContext, status: Int = 200
    ) async throws -> Response {
        Response(status: status, json: try await json(record, call, context), revision: record.revision)
    }

    /// A pin set whole.
    static func json(_ record: PinSetRecord, _ call: Call, _ context: ServiceContext) async throws -> JSON {
        let targets = try await context.managing.targets(of: record.pinSet.id)
        // What was stored is stored, whether or not there is time to look at it.
        let lint = try? await context.lint(record, call)
        return record.json(targets: targets, lint: lint)
    }
}

/// A body that holds a pin file.
enum PinSetBody {
    static let source = Member(
        "source", Kind.text(1...1 << 20).example(.string(example.text)),
        "A native pin file's text: YAML or JSON.")
    static let change = BodyShape().requiring(source)

    private static let version = Member("pinwatch", Kind.integer(1...1), "The format's version.")
    private static let app = Member("app", Kind.line(1...200), "The app whose pins these are.")
    private static let release = Member("release", Kind.line(1...200), "The release that ships with them.")
    private static let file = BodyShape().requiring(version).requiring(app).requiring(release).withOthers

    static let schema = Schema.one(of: [
        change.schema.described("A pin file as text."),
        file.schema.described("A native pin file, whose other members depend on its client.").example(example),
    ])

    static let example = JSON.object([
        ("pinwatch", .integer(1)), ("app", .string("shop-ios")), ("release", .string("5.2.0")),
        ("client", .string("generic")),
        (
            "policy",
            .object([
                (
                    "hosts",
                    .array([
                        .object([
                            ("host", .string("api.example.com")), ("match", .string("any_in_path")),
                            ("pins", .strings(["A", "B"].map { "sha256/\(String(repeating: $0, count: 43))=" })),
                        ])
                    ])
                )
            ])
        ),
    ])

    /// The pin file's text: the body itself where it is a pin file, else what its `source` says.
    static func text(of call: Call) throws(Problem) -> String {
        let body = try call.json()
        guard body["pinwatch"] != nil else { return try call.read(change) { $0.value(source, &$1) } }
        // A text is one there: what reads pin files would take null or a number for its spelling.
        return try call.read(file) { members, reader in
            _ = (members.value(version, &reader), members.value(app, &reader), members.value(release, &reader))
            return String(decoding: call.request.body, as: UTF8.self)
        }
    }
}
