internal import PinwatchCore

/// What the document says of a route beside what the route itself knows: its method, path, body and access.
struct Operation: Sendable {
    /// What readers find it under.
    enum Tag: String, Sendable, CaseIterable {
        case overview, targets, certificates, findings, alerts, silences, events, channels, routes, deliveries
        case pinSets = "pin sets"
        case administration
        case signIn = "sign-in"
        case service
    }

    /// What a route takes in its query.
    enum Query: Sendable {
        /// Whatever comes is left alone, as probes and scrapers like to add to it.
        case ignored
        /// These fields, each at most once; others are refused.
        case fields([Parameter])
        case list(ListQuery)

        static let none = Query.fields([])
    }

    /// A field of the query or a header.
    struct Parameter: Sendable {
        let name: String
        let about: String
        let schema: Schema
    }

    /// One answer that is no problem.
    struct Answer: Sendable {
        let status: Int
        let about: String
        /// By media type; empty for an answer without a body.
        let content: [(type: String, schema: Schema)]
        /// Whether it names the new thing's address.
        var hasLocation = false

        static func ok(_ schema: Schema, _ about: String = "As asked.") -> Answer {
            Answer(status: 200, about: about, content: [("application/json", schema)])
        }

        static func created(_ schema: Schema, at hasLocation: Bool = true) -> Answer {
            Answer(
                status: 201, about: "Made; this is it as it is now.", content: [("application/json", schema)],
                hasLocation: hasLocation)
        }

        static func accepted(_ schema: Schema, _ about: String) -> Answer {
            Answer(status: 202, about: about, content: [("application/json", schema)])
        }

        static let done = Answer(status: 204, about: "Done.", content: [])
    }

    /// `listTargets`: unique, the name that generated clients give it.
    let id: String
    /// One line in plain words.
    let summary: String
    let tag: Tag
    var query = Query.none
    /// What the body must be; `nil` for a route that reads none.
    var body: Schema?
    /// Whether no body at all means something too.
    var bodyIsOptional = false
    let answers: [Answer]
    /// Whether `If-Match` is compared with the thing's revision.
    var isConditional = false
    /// What may stand in the way beside what every such route refuses: a status, and when it is given.
    var refusals: [(status: Int, about: String)] = []

    init(
        _ id: String, _ summary: String, _ tag: Tag, query: Query = .none, body: Schema? = nil,
        bodyIsOptional: Bool = false, answers: [Answer], isConditional: Bool = false,
        refusals: [(status: Int, about: String)] = []
    ) {
        self.id = id
        self.summary = summary
        self.tag = tag
        self.query = query
        self.body = body
        self.bodyIsOptional = bodyIsOptional
        self.answers = answers
        self.isConditional = isConditional
        self.refusals = refusals
    }
}

extension Operation.Query {
    /// Refuses what the route does not take. Lists read their queries themselves, and say more.
    func check(_ target: RequestTarget) throws(Problem) {
        guard case .fields(let parameters) = self else { return }
        let names = parameters.map(\.name)
        var seen: Set<String> = []
        var errors: [Problem.FieldError] = []
        for field in target.query {
            let shown = String(field.name.prefix(64))
            if !names.contains(field.name) {
                let known = names.isEmpty ? "takes none" : "takes \(names.joined(separator: ", "))"
                errors.append(.init(field: shown, message: "is no field of this resource, which \(known)"))
            } else if !seen.insert(field.name).inserted {
                errors.append(.init(field: shown, message: "is given twice"))
            }
        }
        guard errors.isEmpty else { throw Problem(400, "The query cannot be used; see errors.", errors: errors) }
    }
}
