import PinwatchCore
import Testing

@testable import PinwatchHTTP

/// Who may do what: every route, asked by everybody there is.
@Suite struct RoleTableTests {
    /// By whom a route may be asked at least.
    private enum Least: String {
        case anyone, viewer, editor, admin
    }

    /// The contract's table, written out: a route that is not here fails the test, and so does one that is gone.
    private static let table: [(Least, [String])] = [
        (.anyone, ["GET /api/v1", "GET /api/v1/openapi.json", "POST /api/v1/session", "GET /healthz", "GET /readyz"]),
        (
            .viewer,
            [
                "GET /api/v1/summary", "GET /api/v1/targets", "GET /api/v1/targets/{id}",
                "GET /api/v1/targets/{id}/spans", "GET /api/v1/targets/{id}/observations",
                "GET /api/v1/targets/{id}/verdicts", "GET /api/v1/certificates/{name}", "GET /api/v1/keys/{spki}",
                "GET /api/v1/findings", "GET /api/v1/pin-sets", "GET /api/v1/pin-sets/{id}", "GET /api/v1/alerts",
                "GET /api/v1/alerts/{id}", "GET /api/v1/silences", "GET /api/v1/silences/{id}",
                "GET /api/v1/deliveries", "GET /api/v1/deliveries/{id}", "GET /api/v1/events",
                "GET /api/v1/events/{id}", "GET /api/v1/events/stream", "GET /metrics", "GET /api/v1/session",
                "DELETE /api/v1/session", "GET /api/v1/pin-sets/{id}/export", "GET /api/v1/pin-sets/{id}/originals",
                "GET /api/v1/targets/{id}/export", "POST /api/v1/lint", "POST /api/v1/preflight",
                "GET /api/v1/verdicts", "GET /api/v1/runway", "GET /api/v1/coverage",
                "GET /api/v1/targets/{id}/matrix",
            ]
        ),
        (
            .editor,
            [
                "POST /api/v1/targets", "POST /api/v1/targets/preview", "POST /api/v1/targets/{id}/scan",
                "PATCH /api/v1/targets/{id}", "DELETE /api/v1/targets/{id}", "POST /api/v1/pin-sets",
                "POST /api/v1/pin-sets/import",
                "PATCH /api/v1/pin-sets/{id}", "DELETE /api/v1/pin-sets/{id}", "POST /api/v1/silences",
                "POST /api/v1/silences/preview", "PATCH /api/v1/silences/{id}", "DELETE /api/v1/silences/{id}",
                "POST /api/v1/alerts/{id}/acknowledge", "DELETE /api/v1/alerts/{id}/acknowledge",
                "POST /api/v1/deliveries/{id}/retry",
            ]
        ),
        (
            .admin,
            [
                "GET /api/v1/channels", "POST /api/v1/channels", "GET /api/v1/channels/{id}",
                "PATCH /api/v1/channels/{id}", "DELETE /api/v1/channels/{id}", "POST /api/v1/channels/{id}/test",
                "GET /api/v1/routes", "POST /api/v1/routes", "GET /api/v1/routes/{id}", "PATCH /api/v1/routes/{id}",
                "DELETE /api/v1/routes/{id}", "GET /api/v1/tokens", "POST /api/v1/tokens", "GET /api/v1/tokens/{id}",
                "DELETE /api/v1/tokens/{id}", "GET /api/v1/settings", "POST /api/v1/settings/reload",
                "GET /api/v1/audit",
            ]
        ),
    ]

    /// What a request shows to say who sends it, and the role that this gives it.
    private static let askers: [(name: String, role: Role?, headers: [(String, String)])] = [
        ("nobody", nil, []),
        ("a wrong token", nil, [("Authorization", "Bearer pw_wrong")]),
        ("an expired token", nil, [("Authorization", "Bearer expired")]),
        ("a revoked token", nil, [("Authorization", "Bearer revoked")]),
        ("a wrong cookie", nil, [("Cookie", "pinwatch_session=wrong"), ("Origin", "http://localhost:8080")]),
        ("an expired session", nil, [("Cookie", "pinwatch_session=expired"), ("Origin", "http://localhost:8080")]),
        ("a viewer", .viewer, [("Authorization", "Bearer viewer")]),
        ("an editor", .editor, [("Authorization", "Bearer editor")]),
        ("an admin", .admin, [("Authorization", "Bearer admin")]),
        ("a viewer's cookie", .viewer, [("Cookie", "pinwatch_session=viewer"), ("Origin", "http://localhost:8080")]),
        ("an editor's cookie", .editor, [("Cookie", "pinwatch_session=editor"), ("Origin", "http://localhost:8080")]),
        ("an admin's cookie", .admin, [("Cookie", "pinwatch_session=admin"), ("Origin", "http://localhost:8080")]),
    ]

    private static func token(_ id: Int64, _ role: Role, expires: Instant? = nil, revoked: Instant? = nil)
        -> TokenRecord
    {
        TokenRecord(id: id, name: "t\(id)", role: role, createdAt: now - 9, expiresAt: expires, revokedAt: revoked)
    }

    private func fixture() -> ManagedFixture {
        var reading = StubReadingStore.Contents.sample
        var managed = StubManagingStore.Contents.sample
        let tokens: [(String, TokenRecord)] = [
            ("viewer", Self.token(11, .viewer)), ("editor", Self.token(12, .editor)),
            ("admin", Self.token(13, .admin)), ("expired", Self.token(14, .admin, expires: now)),
            ("revoked", Self.token(15, .admin, revoked: now - 1)),
        ]
        for (text, record) in tokens {
            let digest = fakeDigest(Array(text.utf8))
            reading.tokens[digest] = record
            managed.sessions[digest] = SessionRecord(token: record, createdAt: now - 9, expiresAt: now + 60)
        }
        return ManagedFixture(reading, managed)
    }

    private static func target(_ pattern: String) -> String {
        pattern.replacing("/channels/{id}", with: "/channels/ops").replacing("{id}", with: "1")
            .replacing("{name}", with: digest(0xAB).hex).replacing("{spki}", with: digest(0xFB).base64url)
    }

    private func ask(_ route: PinwatchHTTP.Route, _ headers: [(String, String)]) async -> Int {
        let body: String? = route.body == .none ? nil : "{}"
        return await fixture().answer(route.method.rawValue, Self.target(route.pattern), body, headers).status
    }

    private static let rows: [(least: Least, route: String)] = table.flatMap { least, routes in
        routes.map { (least, $0) }
    }

    @Test func `The table has every route, once`() {
        let routes = fixture().routes.map { $0.method.rawValue + " " + $0.pattern }
        #expect(Self.rows.map(\.route).sorted() == routes.sorted())
    }

    @Test(arguments: rows.map { [$0.least.rawValue, $0.route] })
    func `A route is answered to those who may, and to nobody else`(row: [String]) async throws {
        let (least, name) = (try #require(Least(rawValue: row[0])), row[1])
        let route = try #require(fixture().routes.first { $0.method.rawValue + " " + $0.pattern == name })
        for asker in Self.askers {
            let status = await ask(route, asker.headers)
            switch least {
            case .anyone: #expect(route.operation.id == "createSession" ? status == 422 : status < 300, "\(asker.name)")
            case .viewer, .editor, .admin:
                let needed = try #require(Role(rawValue: least.rawValue))
                guard let role = asker.role else {
                    #expect(status == 401, "\(asker.name)")
                    continue
                }
                if role < needed {
                    #expect(status == 403, "\(asker.name)")
                } else {
                    #expect(status != 401 && status != 403 && status != 404 && status < 500, "\(asker.name): \(status)")
                }
            }
        }
    }

    @Test(arguments: rows.filter { $0.least != .anyone }.map(\.route))
    func `A write by cookie needs an Origin of this service's own`(name: String) async throws {
        let route = try #require(fixture().routes.first { $0.method.rawValue + " " + $0.pattern == name })
        for origin in [nil, "null", "https://evil.example", "http://localhost.evil.example:8080"] {
            let headers = [("Cookie", "pinwatch_session=admin")] + (origin.map { [("Origin", $0)] } ?? [])
            let status = await ask(route, headers)
            #expect(route.method.isWrite ? status == 403 : status < 300, "\(origin ?? "none"): \(status)")
        }
    }

    @Test func `A bearer token beats a cookie`() async {
        let both = [("Cookie", "pinwatch_session=admin"), ("Authorization", "Bearer viewer")]
        #expect(await fixture().answer("GET", "/api/v1/audit", nil, both).status == 403)
        #expect(await fixture().answer("DELETE", "/api/v1/targets/1", nil, both).status == 403)
    }
}
