internal import PinwatchCore

/// Who may call a route.
enum Access: Sendable, Hashable {
    /// Anybody who can reach the port under a name that ``HostRule`` knows.
    case open
    /// Bearers of a token of at least this role.
    case role(Role)
}

/// The methods that routes answer. HEAD is answered as GET without its body, OPTIONS for every path.
enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether it changes something, and so is audited, limited, and guarded against other origins.
    var isWrite: Bool { self != .get }
}

/// A request that found its route.
struct Call: Sendable {
    let request: Request
    let target: RequestTarget
    /// What stood in the places of the pattern's `{name}`s.
    let parameters: [String: String]
    /// Who asks; on an open route `nil` for somebody who did not say.
    let principal: Principal?
    /// The client's address, behind trusted proxies.
    let address: IPAddress?
    /// When the request was taken up.
    let now: Instant

    /// The text in the place of `{name}`; empty where the pattern has no such place.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }
}

/// What a route wants of a request's body.
enum BodyRule: Sendable, Hashable {
    /// Nothing is read of it.
    case none
    /// `application/json`, at most so many bytes.
    case json(limit: Int)

    /// 1 MiB, the contract's limit for all but imports.
    static let json = BodyRule.json(limit: 1 << 20)
}

/// One method of one path with its handler.
struct Route: Sendable {
    let method: Method
    /// `/api/v1/targets/{id}`: `{…}` takes exactly one whole segment.
    let pattern: String
    /// What the document says of it.
    let operation: Operation
    let body: BodyRule
    let access: Access
    /// The media type of its answers that `Accept` is held against; `nil` leaves that to the handler.
    let produces: String?
    let answer: @Sendable (Call) async throws -> Response

    /// Whether it tells how the service is, and so is answered while it is not up.
    var isHealth: Bool { pattern == "/healthz" || pattern == "/readyz" }

    /// - Parameter answer: Is called with a query that the operation allows.
    init(
        _ method: Method, _ pattern: String, _ operation: Operation, access: Access = .role(.viewer),
        body: BodyRule = .none, produces: String? = "application/json",
        answer: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.operation = operation
        self.body = body
        self.access = access
        self.produces = produces
        self.answer = { call in
            try operation.query.check(call.target)
            return try await answer(call)
        }
    }

    /// The names of the pattern's `{…}`s, in order.
    var parameters: [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }
}

/// Finds the routes of a path.
struct Router: Sendable {
    private let paths: [Path]

    /// The routes of one pattern, by method.
    private struct Path: Sendable {
        let segments: [Segment]
        var routes: [Method: Route]

        var isLiteral: Bool {
            segments.allSatisfy { segment in
                switch segment {
                case .literal: true
                case .parameter: false
                }
            }
        }
    }

    /// A path's routes, and what stood in its pattern's places.
    struct Match: Sendable {
        let routes: [Method: Route]
        let parameters: [String: String]

        /// The value of `Allow`: what the path's routes answer, HEAD and OPTIONS included.
        var allow: String {
            let methods = Method.allCases.filter { routes[$0] != nil }.map(\.rawValue)
            return (methods + (routes[.get] == nil ? [] : ["HEAD"]) + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    private enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
    }

    init(_ routes: [Route]) {
        var paths: [Path] = []
        for route in routes {
            let segments = Self.segments(route.pattern)
            if let known = paths.firstIndex(where: { $0.segments == segments }) {
                paths[known].routes[route.method] = route
            } else {
                paths.append(Path(segments: segments, routes: [route.method: route]))
            }
        }
        // `events/stream` is that, and no event of the id `stream`.
        self.paths = paths.filter(\.isLiteral) + paths.filter { !$0.isLiteral }
    }

    private static func segments(_ pattern: String) -> [Segment] {
        pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.first == "{" && $0.last == "}"
                ? .parameter(String($0.dropFirst().dropLast())) : .literal(String($0))
        }
    }

    /// The first pattern in the order given that the path fits; patterns without places go before those with any.
    func match(_ target: RequestTarget) -> Match? {
        for path in paths {
            if let parameters = Self.match(path.segments, target.segments) {
                return Match(routes: path.routes, parameters: parameters)
            }
        }
        return nil
    }

    private static func match(_ pattern: [Segment], _ path: [String]) -> [String: String]? {
        guard pattern.count == path.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, text) in zip(pattern, path) {
            switch segment {
            case .literal(let literal): guard literal == text else { return nil }
            case .parameter(let name):
                guard !text.isEmpty else { return nil }
                parameters[name] = text
            }
        }
        return parameters
    }
}
