internal import PinwatchCore

extension Route {
    /// The route as an operation of the document, whose answers lead on to the other routes of what they made.
    func document(among routes: [Route]) -> JSON {
        .object(
            [
                ("operationId", .string(operation.id)), ("summary", .string(operation.summary)),
                ("tags", .strings([operation.tag.rawValue])), ("description", .string(whoMay)),
                ("parameters", .array(queryParameters + headerParameters)),
            ] + requestBody + [
                ("responses", .object(answers(among: routes).map { (String($0.0), $0.1) })), ("security", security),
            ])
    }

    private var whoMay: String {
        switch access {
        case .open: "Open to all."
        case .role(let role): "Needs the role \(role.rawValue) or a higher one."
        }
    }

    private var security: JSON {
        switch access {
        case .open: .array([])
        case .role: .array(["bearer", "cookie"].map { .object([($0, .array([]))]) })
        }
    }

    // MARK: What it takes

    private var queryParameters: [JSON] {
        let fields: [Operation.Parameter] =
            switch operation.query {
            case .ignored: []
            case .fields(let fields): fields
            case .list(let query): query.parameters
            }
        return fields.map { Self.parameter($0, in: "query") }
    }

    private var headerParameters: [JSON] {
        var headers: [Operation.Parameter] = []
        if operation.isConditional {
            headers.append(
                .init(
                    name: "If-Match", about: "The ETag of what is to be changed: refused if it has another revision.",
                    schema: .text(pattern: "^(\\*|\"[1-9][0-9]{0,17}\\.[0-9a-f]{32}\")$")))
        }
        if isTagged {
            headers.append(
                .init(name: "If-None-Match", about: "ETags of answers that one has already.", schema: .text))
        }
        return headers.map { Self.parameter($0, in: "header") }
    }

    private static func parameter(_ parameter: Operation.Parameter, in place: String) -> JSON {
        .object([
            ("name", .string(parameter.name)), ("in", .string(place)), ("required", .bool(false)),
            ("description", .string(parameter.about)), ("schema", parameter.schema.json),
        ])
    }

    private var requestBody: [(String, JSON)] {
        guard let schema = operation.body else { return [] }
        let types = ["application/json"] + (method == .patch ? ["application/merge-patch+json"] : [])
        return [
            (
                "requestBody",
                .object([
                    ("required", .bool(!operation.bodyIsOptional)),
                    ("content", Self.content(types.map { ($0, schema) })),
                ])
            )
        ]
    }

    // MARK: What it answers

    /// Whether its answer has an ETag of the body.
    private var isTagged: Bool {
        method == .get
            && operation.answers.contains {
                $0.status == 200 && !$0.content.contains { $0.type == "text/event-stream" }
            }
    }

    /// By status; what the operation says of one goes before what all have in common.
    private func answers(among routes: [Route]) -> [(Int, JSON)] {
        var answers: [Int: JSON] = [:]
        for refusal in commonRefusals { answers[refusal.rawValue] = refusal.reference }
        for (status, about) in operation.refusals { answers[status] = Refusal.document(about) }
        for answer in operation.answers { answers[answer.status] = document(answer, among: routes) }
        if isTagged { answers[304] = .object([("description", .string("It is what If-None-Match says one has."))]) }
        return answers.sorted { $0.key < $1.key }
    }

    private var commonRefusals: [Refusal] {
        var refusals: [Refusal] = [
            .badRequest, .targetTooLong, .misdirected, .headersTooLarge, .internalError, .unavailable,
        ]
        if case .role(let role) = access {
            // Too many bad tokens are answered so as well, whatever they ask for.
            refusals += [.unauthorized, .tooManyRequests]
            if role > .viewer || method.isWrite { refusals.append(.forbidden) }
        }
        if !parameters.isEmpty { refusals.append(.notFound) }
        if produces != nil || operation.answers.contains(where: { $0.content.count > 1 }) {
            refusals.append(.notAcceptable)
        }
        if operation.isConditional { refusals.append(.preconditionFailed) }
        if operation.body != nil { refusals += [.tooLarge, .unprocessable] }
        if method.isWrite { refusals += [.tooManyRequests, .unsupportedMediaType] }
        return refusals
    }

    private func document(_ answer: Operation.Answer, among routes: [Route]) -> JSON {
        var headers: [(String, String)] = []
        if answer.hasLocation { headers.append(("Location", "The new thing's path.")) }
        if isTagged || operation.isConditional && !answer.content.isEmpty {
            headers.append(("ETag", "Of this answer; of an editable thing it begins with the revision."))
        }
        let links = answer.hasLocation ? self.links(among: routes) : []
        return .object(
            [("description", .string(answer.about))]
                + (headers.isEmpty ? [] : [("headers", Self.headers(headers))])
                + (answer.content.isEmpty ? [] : [("content", Self.content(answer.content))])
                + (links.isEmpty ? [] : [("links", .object(links))]))
    }

    /// What can be done with the thing that the answer made: the routes below this one's path that take its id.
    private func links(among routes: [Route]) -> [(String, JSON)] {
        let item = pattern + "/{id}"
        return routes.filter { $0.pattern == item || $0.pattern.hasPrefix(item + "/") }.map { route in
            let id = ("id", JSON.string("$response.body#/id"))
            return (
                route.operation.id,
                .object([("operationId", .string(route.operation.id)), ("parameters", .object([id]))])
            )
        }
    }

    static func headers(_ headers: [(String, String)]) -> JSON {
        .object(
            headers.map { name, about in
                (name, .object([("description", .string(about)), ("schema", Schema.text.json)]))
            })
    }

    static func content(_ content: [(type: String, schema: Schema)]) -> JSON {
        .object(content.map { ($0.type, .object([("schema", $0.schema.json)])) })
    }
}
