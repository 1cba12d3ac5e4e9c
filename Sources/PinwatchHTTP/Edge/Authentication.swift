internal import PinwatchCore

/// Bearer tokens (RFC 6750). Only the SHA-256 of a token's text is known, and looked up by one indexed read.
struct Authentication: Sendable {
    private let context: ServiceContext

    /// Longer ones are nobody's; tokens made here are far shorter.
    private static let maximumLength = 512

    init(_ context: ServiceContext) {
        self.context = context
    }

    /// - Throws: A ``Problem`` 401, the same for a missing, unknown, expired and revoked token, so that trying tells
    ///   nothing; 403 where the token is good and its role too low; what the store throws.
    ///
    /// - Returns: Who asks; `nil` on an open route.
    func principal(of request: Request, for access: Access) async throws -> Principal? {
        guard case .role(let role) = access else { return nil }
        let now = context.clock()
        if context.listen.address.isLoopback, !(try await context.store.hasTokens()) { return .loopback }
        guard let text = Self.bearer(request),
            let token = try await context.store.token(sha256: context.sha256(Array(text.utf8))), token.isValid(at: now)
        else {
            throw Problem(
                401,
                "A valid token is needed: send it as `Authorization: Bearer …`. `pinwatch token create` makes one.",
                headers: [.init("WWW-Authenticate", "Bearer realm=\"pinwatch\"")])
        }
        guard token.role >= role else {
            throw Problem(403, "This needs the role \(role.rawValue); the token has \(token.role.rawValue).")
        }
        return Principal(name: token.name, via: .token, role: token.role, tokenID: token.id)
    }

    private static func bearer(_ request: Request) -> String? {
        let values = request.values(of: "authorization")
        guard values.count == 1, let value = values.first, value.utf8.count <= maximumLength else { return nil }
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
