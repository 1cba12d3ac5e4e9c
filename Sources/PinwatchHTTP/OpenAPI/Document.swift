internal import PinwatchCore
internal import Synchronization

/// `openapi.json`: what the routes say of themselves, as OpenAPI 3.1. It is made from the routes that are served, so
/// that none is missing and none is invented.
struct Document: Sendable {
    static let base = "/api/v1"
    static let path = "/api/v1/openapi.json"

    private let routes: [Route]
    private let version: String

    init(_ routes: [Route], version: String) {
        self.routes = routes
        self.version = version
    }

    /// The route that serves the document of some routes and itself.
    static func route(of others: [Route], _ context: ServiceContext) -> Route {
        let own = Route(.get, path, .readDocument, access: .open) { _ in Response(status: 204) }
        let served = Served(Document(others + [own], version: context.version))
        return Route(.get, path, .readDocument, access: .open) { _ in served.response }
    }

    /// The answer, made when it is first asked for: it is large, and the same for as long as the service runs.
    private final class Served: Sendable {
        private let document: Document
        private let made = Mutex<Response?>(nil)
        init(_ document: Document) { self.document = document }

        var response: Response {
            made.withLock { made in
                let response = made ?? Response(json: document.json)
                made = response
                return response
            }
        }
    }

    var json: JSON {
        .object([
            ("openapi", .string("3.1.0")),
            ("jsonSchemaDialect", .string("https://spec.openapis.org/oas/3.1/dialect/base")),
            ("info", info), ("servers", .array([.object([("url", .string("/"))])])),
            ("tags", .array(Operation.Tag.allCases.map { .object([("name", .string($0.rawValue))]) })),
            ("paths", paths), ("webhooks", webhooks), ("components", components),
        ])
    }

    private var info: JSON {
        .object([
            ("title", .string("Pinwatch")),
            ("summary", .string("Watches TLS services against the pins that apps ship with.")),
            (
                "description",
                .string(
                    "JSON in snake_case, times in RFC 3339 with `Z`, ids opaque. null is unknown. Lists are paged by "
                        + "`limit` and `cursor`; a filter that is given several times takes any of its values. Errors "
                        + "are RFC 9457 problem details.")
            ),
            ("version", .string(version)),
        ])
    }

    /// In the order of the routes; the methods of a path together.
    private var paths: JSON {
        var patterns: [String] = []
        for route in routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
        return .object(
            patterns.map { pattern in
                let own = routes.filter { $0.pattern == pattern }
                let parameters = own.first.map(Self.pathParameters) ?? []
                let operations = own.map { ($0.method.rawValue.lowercased(), $0.document(among: routes)) }
                return (
                    pattern,
                    .object((parameters.isEmpty ? [] : [("parameters", .array(parameters))]) + operations)
                )
            })
    }

    private static func pathParameters(_ route: Route) -> [JSON] {
        route.parameters.map { name in
            let (schema, about) = pathParameter(name, of: route.pattern)
            return .object([
                ("name", .string(name)), ("in", .string("path")), ("required", .bool(true)),
                ("description", .string(about)), ("schema", schema.json),
            ])
        }
    }

    private static func pathParameter(_ name: String, of pattern: String) -> (Schema, about: String) {
        if pattern.hasPrefix(Noun.channel.path + "/") { return (Kind.name.schema, "The channel's name.") }
        switch name {
        case "spki": return (.text(pattern: "^[A-Za-z0-9_-]{43}$"), "SHA-256 of the SubjectPublicKeyInfo, base64url.")
        case "name":
            return (
                .text(pattern: "^[0-9a-f]{64}(\\.pem|\\.der)?$"),
                "SHA-256 of the certificate in hexadecimal, and the form it is wanted in."
            )
        default: return (.id, "The id, as a list gives it.")  // Not an enumeration of ours: every other name is an id.
        }
    }

    /// What channels of type `webhook` receive (Standard Webhooks).
    private var webhooks: JSON {
        let messages: [(String, SchemaName, String)] = [
            ("alert", .alertMessage, "An alert opened, escalated, changed, was acknowledged or is over."),
            ("event", .eventMessage, "An event that a route asks for."),
            ("test", .testMessage, "Somebody tries the channel."),
        ]
        return .object(messages.map { name, schema, summary in (name, Self.webhook(name, schema, summary)) })
    }

    private static func webhook(_ name: String, _ schema: SchemaName, _ summary: String) -> JSON {
        let headers: [(String, String)] = [
            ("webhook-id", "The body's id, the same on every try."),
            ("webhook-timestamp", "Unix seconds of this try."),
            (
                "webhook-signature",
                "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; one for each valid secret."
            ),
        ]
        let parameters = headers.map { header, about in
            JSON.object([
                ("name", .string(header)), ("in", .string("header")), ("required", .bool(true)),
                ("description", .string(about)), ("schema", Schema.text.json),
            ])
        }
        return .object([
            (
                "post",
                .object([
                    ("operationId", .string("receive\(name.prefix(1).uppercased())\(name.dropFirst())")),
                    ("summary", .string(summary)), ("parameters", .array(parameters)),
                    ("security", .array([])),
                    (
                        "requestBody",
                        .object([
                            ("required", .bool(true)),
                            ("content", Route.content([("application/json", .named(schema))])),
                        ])
                    ),
                    (
                        "responses",
                        .object([
                            ("2XX", .object([("description", .string("It was received."))])),
                            (
                                "410",
                                .object([("description", .string("Nobody is here any more: the channel is disabled."))])
                            ),
                        ])
                    ),
                ])
            )
        ])
    }

    private var components: JSON {
        .object([
            ("schemas", .object(SchemaName.allCases.map { ($0.rawValue, $0.schema.json) })),
            ("responses", .object(Refusal.allCases.map { ($0.name, $0.document) })),
            (
                "securitySchemes",
                .object([
                    (
                        "bearer",
                        .object([
                            ("type", .string("http")), ("scheme", .string("bearer")),
                            ("description", .string("A token of `pinwatch token create` or POST /api/v1/tokens.")),
                        ])
                    ),
                    (
                        "cookie",
                        .object([
                            ("type", .string("apiKey")), ("in", .string("cookie")),
                            ("name", .string("pinwatch_session")),
                            (
                                "description",
                                .string(
                                    "From POST /api/v1/session; under TLS its name is `__Host-pinwatch_session`. "
                                        + "Writes need an Origin of this service.")
                            ),
                        ])
                    ),
                ])
            ),
        ])
    }
}
