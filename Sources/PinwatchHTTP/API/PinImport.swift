internal import PinwatchCore

/// `pin-sets/import`: the apps' own files, made pin sets.
enum PinImport {
    private static let source = Member(
        "source", Kind<String>.whole, orNull: true,
        "A native pin file's text, as somebody edited what was understood; taken in its place.")
    private static let replace = Member(
        "replace", Kind.flag, orNull: true, "Whether a pin set of the same identity gives way; otherwise it stays.")
    static let shape = PinFileBody.shape.taking(source).taking(replace)

    private struct Body: Sendable {
        let files: [HandedFile]
        let context: ImportContext
        let source: String?
        let replaces: Bool
    }

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                .post, "/api/v1/pin-sets/import", .importPinSets, access: .role(.editor), body: PinFileBody.limit
            ) { call in
                try await answer(call, context)
            }
        ]
    }

    private static func answer(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let isPreview = try PinSets.isPreview(call)
        let body = try call.read(shape) { members, reader -> Body? in
            let (files, source) = (members.value(PinFileBody.files, &reader), members.value(source, &reader))
            let context = PinFileBody.context(members, &reader)
            let replaces = members.value(replace, &reader) ?? false
            return files.map { Body(files: $0, context: context, source: source, replaces: replaces) }
        }
        let readings = try await context.files("What was handed over") { files throws(PinFilesRefusal) in
            try await files.read(body.files, context: body.context, now: call.now)
        }
        return isPreview
            ? try await preview(readings, context) : try await store(readings, body, call, context)
    }

    private static func preview(
        _ readings: [PinFileReading], _ context: ServiceContext
    ) async throws -> Response {
        var items: [JSON] = []
        for reading in readings {
            var existing: PinSetID?
            if let identity = reading.definition?.identity {
                existing = try await context.managing.pinSet(with: identity)
            }
            items.append(reading.json(existing: existing))
        }
        return Response(json: .object([("items", .array(items))]))
    }

    private static func store(
        _ readings: [PinFileReading], _ body: Body, _ call: Call, _ context: ServiceContext
    ) async throws -> Response {
        let made = try pinSets(readings, body, context)
        try refuseTwins(made)
        let records = try await context.change(.pinSet, call) {
            try await $0.importPinSets(made, replacing: body.replaces, $1)
        }
        var items: [JSON] = []
        for record in records { items.append(try await PinSets.json(record, call, context)) }
        return Response(status: 201, json: .object([("items", .array(items))]))
    }

    private static func pinSets(
        _ readings: [PinFileReading], _ body: Body, _ context: ServiceContext
    ) throws -> [NewPinSet] {
        guard let source = body.source else { return try readings.map { try understood($0) } }
        guard readings.count == 1, let reading = readings.first else {
            throw Problem(
                422, "The files are of \(readings.count) releases, and one text cannot stand for all of them.",
                errors: [.init(field: "source", message: "hand the files of one release over by themselves")])
        }
        let definition = try PinSets.understood(source, context).kept(by: .api, origin: reading.origin)
        return [NewPinSet(definition, originals: reading.originals)]
    }

    /// Releases of several systems that have one name would be one pin set, the last in place of the others.
    private static func refuseTwins(_ pinSets: [NewPinSet]) throws(Problem) {
        var seen: Set<PinSetIdentity> = []
        for pinSet in pinSets where !seen.insert(pinSet.definition.identity).inserted {
            let label = pinSet.definition.identity.label
            throw Problem(
                422, "Releases of two systems are both called \(label). Hand each system's files over by themselves.",
                errors: [.init(field: "app", message: "give each system's app a name of its own, such as shop-ios")])
        }
    }

    /// - Throws: A ``Problem`` 422 where files leave open what a verdict depends on, or say what cannot be.
    private static func understood(_ reading: PinFileReading) throws(Problem) -> NewPinSet {
        let open = reading.questions.filter(\.mustAnswer)
        let faults = reading.problems.map { problem in
            Problem.FieldError(
                field: problem.mark.map { "\($0.line):\($0.column)" } ?? reading.origin, message: problem.message)
        }
        guard open.isEmpty, faults.isEmpty, let definition = reading.definition else {
            let questions = open.map { Problem.FieldError(field: $0.id, message: $0.words) }
            let words =
                open.isEmpty
                ? "What \(reading.origin) says cannot be taken as it stands; see errors."
                : "\(reading.origin) leaves open what a verdict depends on; see errors. Answer in the text that a "
                    + "preview gives, and send it as source."
            throw Problem(422, words, errors: Array((questions + faults).prefix(100)))
        }
        return NewPinSet(definition, originals: reading.originals)
    }
}
