internal import PinwatchCore

/// `session`: signing in with a token for a cookie, who one is, and signing out.
enum Sessions {
    private static let path = "/api/v1/session"
    private static let tokenMember = Member(
        "token", Kind.line(1...Authentication.maximumLength), "A token as it was shown when it was made.")
    static let shape = BodyShape().requiring(tokenMember)

    static func routes(_ context: ServiceContext, _ authentication: Authentication) -> [Route] {
        [
            Route(.get, path, .readSession) { call in
                Response(json: try await who(call, context, authentication))
            },
            Route(.post, path, .createSession, access: .open, body: .json(limit: 4_096)) { call in
                try await signIn(call, context, authentication)
            },
            Route(.delete, path, .deleteSession) { call in
                try await signOut(call, context)
            },
        ]
    }

    // MARK: Signing in and out

    private static func signIn(
        _ call: Call, _ context: ServiceContext, _ authentication: Authentication
    ) async throws -> Response {
        try authentication.failures.check(call.address, now: call.now)
        let text = try call.read(shape) { $0.value(tokenMember, &$1) }
        guard let token = try await authentication.token(text, now: call.now) else {
            authentication.failures.failed(call.address, now: call.now)
            throw Problem.notAuthenticated
        }
        let expiresAt = min(call.now + SessionCookie.lifetimeSeconds, token.expiresAt ?? call.now + .max)
        let id = context.administration.newSessionID()
        let principal = Principal(name: token.name, via: .token, role: token.role, tokenID: token.id)
        let session = try await context.managing.addSession(
            sha256: context.sha256(Array(id.revealed.utf8)), token: token.id, expiresAt: expiresAt,
            Change(by: principal, from: call.address, at: call.now))
        let cookie = SessionCookie.set(
            id, seconds: session.expiresAt.seconds(since: call.now), isSecure: call.request.isSecure)
        let body = await json(
            Principal(name: token.name, via: .session, role: token.role, tokenID: token.id),
            expiresAt: session.expiresAt, context)
        return Response(status: 201, json: body).adding([cookie, .init("Location", path)])
    }

    private static func signOut(_ call: Call, _ context: ServiceContext) async throws -> Response {
        if let id = SessionCookie.value(of: call.request), let principal = call.principal, principal.via == .session {
            try await context.managing.endSession(
                sha256: context.sha256(Array(id.utf8)), Change(by: principal, from: call.address, at: call.now))
        }
        return Response(status: 204, headers: [SessionCookie.clear(isSecure: call.request.isSecure)])
    }

    // MARK: Who one is

    private static func who(
        _ call: Call, _ context: ServiceContext, _ authentication: Authentication
    ) async throws -> JSON {
        guard let principal = call.principal else { throw Problem.notAuthenticated }
        var expiresAt: Instant?
        switch principal.via {
        case .session: expiresAt = try await authentication.session(of: call.request, now: call.now)?.expiresAt
        case .token:
            if let id = principal.tokenID { expiresAt = try await context.managing.token(id)?.expiresAt }
        case .loopback, .command, .signal, .config: break
        }
        return await json(principal, expiresAt: expiresAt, context)
    }

    private static func json(_ principal: Principal, expiresAt: Instant?, _ context: ServiceContext) async -> JSON {
        let isOpen = principal.via == .loopback
        let configuration = await context.administration.settings().configuration
        return .object([
            ("open", .bool(isOpen)), ("authenticated", .bool(!isOpen)), ("via", .string(principal.via.rawValue)),
            ("name", isOpen ? .null : .string(principal.name)), ("role", .string(principal.role.rawValue)),
            ("expires_at", .time(expiresAt)), ("environments", .strings(configuration.environments)),
            ("trust_stores", .strings(configuration.trustStores.keys.sorted())),
            ("version", .string(context.version)),
        ])
    }
}
