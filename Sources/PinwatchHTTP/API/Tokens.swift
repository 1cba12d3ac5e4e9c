internal import PinwatchCore

/// `tokens`: who may use the API. A token's text is in the answer that makes it, and nowhere else.
enum Tokens {
    private static let name = Member("name", Kind.line(1...100), "Whose it is, for the audit trail.")
    private static let role = Member("role", Kind.word(of: Role.self), "What it may.")
    private static let expiresAt = Member(
        "expires_at", Kind.time.example(.null), orNull: true, "Never, if nothing is said.")
    static let shape = BodyShape().requiring(name).requiring(role).taking(expiresAt)

    private struct Body: Sendable {
        let name: String
        let role: Role
        let expiresAt: Instant?
    }

    static func routes(_ context: ServiceContext) -> [Route] {
        let admin = Access.role(.admin)
        let query = ListQuery()
        return [
            Route(.get, "/api/v1/tokens", .listTokens(query), access: admin) { call in
                try await context.managing.tokens(query.request(call)).response { .object($0.members(now: call.now)) }
            },
            Route(.post, "/api/v1/tokens", .createToken, access: admin, body: .json) { call in
                try await create(call, context)
            },
            Route(.get, "/api/v1/tokens/{id}", .readToken, access: admin) { call in
                let id = try Noun.token.number(in: call)
                let record = try Noun.token.found(try await context.managing.token(id))
                return Response(json: .object(record.members(now: call.now)))
            },
            Route(.delete, "/api/v1/tokens/{id}", .revokeToken, access: admin) { call in
                let id = try Noun.token.number(in: call)
                try await context.change(.token, call) { try await $0.revokeToken(id, $1) }
                return Response(status: 204)
            },
        ]
    }

    private static func create(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let body = try call.read(shape) { Self.body($0, now: call.now, &$1) }
        let text = context.administration.newToken()
        let digest = context.sha256(Array(text.revealed.utf8))
        let record = try await context.change(.token, call) { store, change in
            try await store.addToken(
                name: body.name, role: body.role, sha256: digest, expiresAt: body.expiresAt, change)
        }
        return Response(
            status: 201, json: .object(record.members(now: call.now) + [("token", .string(text.revealed))])
        ).adding([Noun.token.location(of: String(record.id))])
    }

    private static func body(_ members: BodyMembers, now: Instant, _ reader: inout BodyReader) -> Body? {
        let name = members.value(Self.name, &reader)
        let role = members.value(Self.role, &reader)
        let expiresAt = members.value(Self.expiresAt, &reader)
        if let expiresAt, expiresAt <= now { reader.report(member: "expires_at", "must be later than now") }
        guard let name, let role else { return nil }
        return Body(name: name, role: role, expiresAt: expiresAt)
    }
}
