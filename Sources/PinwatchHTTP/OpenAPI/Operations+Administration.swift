internal import PinwatchCore

extension Operation {
    static func listTokens(_ query: ListQuery) -> Operation {
        Operation(
            "listTokens", "Lists tokens in the order made, without their texts.", .administration,
            query: .list(query), answers: [.ok(.page(of: .named(.token)))])
    }

    static let createToken = Operation(
        "createToken", "Makes a token, whose text this answer shows once.", .administration, body: Tokens.shape.schema,
        answers: [.created(.named(.tokenWithText))],
        refusals: [(409, "Something that there is stands against it.")])

    static let readToken = Operation(
        "readToken", "Shows a token, without its text.", .administration, answers: [.ok(.named(.token))])

    static let revokeToken = Operation(
        "revokeToken", "Revokes a token, and ends the sessions that were made with it.", .administration,
        answers: [.done], refusals: [(409, "It is the last valid token of an admin.")])

    static let readSettings = Operation(
        "readSettings", "Shows the configuration in force, without anything secret.", .administration,
        answers: [.ok(.named(.settings))])

    static let reloadSettings = Operation(
        "reloadSettings", "Reads the configuration file again, and takes it over if it has no fault.",
        .administration, answers: [.ok(.named(.reloadReport), "What changed.")],
        refusals: [(422, "The files have faults, each at `file:line:column`; the configuration before stays in force.")]
    )

    static func listAudit(_ query: ListQuery) -> Operation {
        Operation(
            "listAudit", "Lists who changed what, newest first.", .administration, query: .list(query),
            answers: [.ok(.page(of: .named(.auditRecord)))])
    }

    static let createSession = Operation(
        "createSession", "Signs a browser in: the session's cookie stands for the token.", .signIn,
        body: Sessions.shape.schema, answers: [.created(.named(.session), at: false)],
        refusals: [(401, "The token is not valid."), (429, "Too many tries; `Retry-After` says when to go on.")])

    static let readSession = Operation(
        "readSession", "Says who asks, and what they may.", .signIn, answers: [.ok(.named(.session))])

    static let deleteSession = Operation(
        "deleteSession", "Signs the browser out.", .signIn, answers: [.done])

    static let listResources = Operation(
        "listResources", "Names what there is to read.", .service, answers: [.ok(.named(.resources))])

    static let readDocument = Operation(
        "readDocument", "This document.", .service, answers: [.ok(.map(of: .anything), "OpenAPI 3.1.")])

    static let readHealth = Operation(
        "readHealth", "Says that the process answers.", .service, query: .ignored, answers: [.ok(.health)])

    static let readReadiness = Operation(
        "readReadiness", "Says whether the store takes writes and the scanner runs.", .service, query: .ignored,
        answers: [
            .ok(.readiness),
            Answer(
                status: 503, about: "It does not do its work; the reasons say why.",
                content: [("application/json", .readiness)]),
        ])

    static let readMetrics = Operation(
        "readMetrics", "Counts, for Prometheus.", .service, query: .ignored,
        answers: [Answer(status: 200, about: "As asked.", content: [("text/plain", .text)])])
}
