internal import PinwatchCore

/// `lint`: what is wrong with files, or with a stored pin set. It stores nothing, so whoever may read may ask.
enum Lint {
    private static let pinSetID = Member("pin_set_id", Kind<Int64>.id, "The pin set whose policies are looked at.")
    private static let stored = BodyShape().requiring(pinSetID)
    static let schema = Schema.one(of: [PinFileBody.shape.schema, stored.schema])

    /// Problems that are told; all are counted.
    private static let most = 1_000

    private enum Subject: Sendable {
        case files([HandedFile], ImportContext)
        case pinSet(PinSetID)
    }

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.post, "/api/v1/lint", .lint, body: PinFileBody.limit) { call in
                let problems = try await problems(try call.read(subject), call, context)
                let counts = [LintSeverity.error, .warning, .note].map { severity in
                    (severity.rawValue + "s", JSON.integer(Int64(problems.count { $0.severity == severity })))
                }
                return Response(json: .object([("items", .array(problems.prefix(most).map(\.json)))] + counts))
            }
        ]
    }

    private static func subject(_ body: JSON, _ reader: inout BodyReader) -> Subject? {
        guard body["pin_set_id"] == nil || body["files"] != nil else {
            let id = reader.object(body, stored).flatMap { $0.value(pinSetID, &reader) }
            return id.map { .pinSet(PinSetID($0)) }
        }
        guard let members = reader.object(body, PinFileBody.shape) else { return nil }
        let files = members.value(PinFileBody.files, &reader)
        let context = PinFileBody.context(members, &reader)
        return files.map { .files($0, context) }
    }

    private static func problems(
        _ subject: Subject, _ call: Call, _ context: ServiceContext
    ) async throws -> [LintProblem] {
        switch subject {
        case .files(let handed, let words):
            return try await context.files("What was handed over") { files throws(PinFilesRefusal) in
                try await files.lint(handed, context: words, now: call.now)
            }
        case .pinSet(let id):
            guard let record = try await context.managing.pinSet(id) else {
                throw Problem(
                    422, "There is no pin set with this id; \(Noun.pinSet.path) lists them.",
                    errors: [.init(field: pinSetID.name, message: "names no pin set")])
            }
            return try await context.lint(record, call)
        }
    }
}

extension ServiceContext {
    /// What is wrong with a stored pin set's policies.
    func lint(_ record: PinSetRecord, _ call: Call) async throws(Problem) -> [LintProblem] {
        try await files("The pin set") { files throws(PinFilesRefusal) in
            try await files.lint(record.pinSet.definition, now: call.now)
        }
    }
}

extension Kind where Value == Int64 {
    /// An id as this API gives it.
    static var id: Kind {
        Kind(schema: .id) { value, reader in
            if case .string(let text) = value, let number = Identifier.number(text) { return number }
            reader.report("must be an id as this API gives it")
            return nil
        }
    }
}
