internal import PinwatchCore

/// Bearer tokens (RFC 6750) and sessions. Only the SHA-256 of a secret's text is known, and looked up by one indexed read.
struct Authentication: Sendable {
    private let context: ServiceContext
    let failures: FailureLimit

    /// Longer ones are nobody's; tokens made here are far shorter.
    static let maximumLength = 512

    init(_ context: ServiceContext) {
        self.context = context
        failures = FailureLimit(allowed: context.failedSignInsPerMinute)
    }

    /// - Throws: A ``Problem`` 401, the same for what is missing, unknown, expired and revoked, so that trying tells
    ///   nothing; 429 after too many bad tokens; 403 where the token is good and its role too low; what the store throws.
    /// - Returns: Who asks; `nil` on an open route.
    func principal(of request: Request, for access: Access) async throws -> Principal? {
        guard case .role(let role) = access else { return nil }
        let now = context.clock()
        // A good token passes whatever failed before it: 256 random bits are not guessed, while one script with an old
        // token would lock out everybody who shares its address.
        guard let principal = try await identify(request, now: now) else {
            // A session that ended is no attempt at one, and must not keep its owner from signing in again.
            if !request.values(of: "authorization").isEmpty {
                try failures.check(request.peer, now: now)
                failures.failed(request.peer, now: now)
            }
            throw Problem.notAuthenticated
        }
        guard principal.role >= role else {
            throw Problem(403, "This needs the role \(role.rawValue); the token has \(principal.role.rawValue).")
        }
        if let id = principal.tokenID { await noteUse(of: id, at: now) }
        return principal
    }

    /// A database that takes no writes must not keep anybody from reading; `/readyz` tells of it.
    private func noteUse(of token: Int64, at now: Instant) async {
        do { try await context.managing.tokenUsed(token, at: now) } catch { return }
    }

    /// Whether the same request would be let in still, for an answer that goes on.
    func isAllowed(_ request: Request, for role: Role) async throws -> Bool {
        try await identify(request, now: context.clock()).map { $0.role >= role } ?? false
    }

    /// Whether a request comes from this machine and from no proxy on it: only then may all be open, however the service
    /// listens. A proxy that hides where it forwards from is told by the name that it is reached under.
    private func isFromHere(_ request: Request) -> Bool {
        let forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"]
        return context.listen.address.isLoopback && request.peer?.isLoopback ?? true
            && !request.headers.contains { forwarded.contains($0.name) }
            && request.values(of: "host").allSatisfy(HostRule.isOfThisMachine)
    }

    /// Who asks; `nil` for nobody that is known. A bearer token beats a cookie.
    private func identify(_ request: Request, now: Instant) async throws -> Principal? {
        if isFromHere(request), !(try await context.store.hasTokens()) { return .loopback }
        if !request.values(of: "authorization").isEmpty {
            guard let text = Self.bearer(request), let token = try await token(text, now: now) else { return nil }
            return Principal(name: token.name, via: .token, role: token.role, tokenID: token.id)
        }
        guard let session = try await session(of: request, now: now) else { return nil }
        let token = session.token
        return Principal(name: token.name, via: .session, role: token.role, tokenID: token.id)
    }

    /// The valid token of this text.
    func token(_ text: String, now: Instant) async throws -> TokenRecord? {
        guard text.utf8.count <= Self.maximumLength,
            let token = try await context.store.token(sha256: context.sha256(Array(text.utf8))), token.isValid(at: now)
        else { return nil }
        return token
    }

    /// The valid session whose cookie a request brings.
    func session(of request: Request, now: Instant) async throws -> SessionRecord? {
        guard let id = SessionCookie.value(of: request),
            let session = try await context.managing.session(sha256: context.sha256(Array(id.utf8))),
            session.isValid(at: now)
        else { return nil }
        return session
    }

    private static func bearer(_ request: Request) -> String? {
        let values = request.values(of: "authorization")
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

extension Problem {
    static let notAuthenticated = Problem(
        401,
        "A valid token is needed: send it as `Authorization: Bearer …`, or sign in with it. `pinwatch token create` "
            + "makes one.",
        headers: [.init("WWW-Authenticate", "Bearer realm=\"pinwatch\"")])
}
