internal import PinwatchCore

/// Who may call a route.
enum Access: Sendable, Hashable {
    /// Anybody who can reach the port under a name that ``HostRule`` knows.
    case open
    /// Bearers of a token of at least this role.
    case role(Role)
}

/// A request that found its route.
struct Call: Sendable {
    let request: Request
    let target: RequestTarget
    /// What stood in the places of the pattern's `{name}`s.
    let parameters: [String: String]

    /// The text in the place of `{name}`; empty where the pattern has no such place.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }
}

/// One path with its GET handler.
struct Route: Sendable {
    /// `/api/v1/targets/{id}`: `{…}` takes exactly one whole segment.
    let pattern: String
    let access: Access
    /// The media type of its answers that `Accept` is held against; `nil` leaves that to the handler.
    let produces: String?
    let answer: @Sendable (Call) async throws -> Response

    init(
        _ pattern: String, access: Access = .role(.viewer), produces: String? = "application/json",
        answer: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.pattern = pattern
        self.access = access
        self.produces = produces
        self.answer = answer
    }
}

/// Finds the route of a path. Everything here is read by GET and HEAD, and asked about by OPTIONS.
struct Router: Sendable {
    static let methods = "GET, HEAD, OPTIONS"

    private let routes: [(segments: [Segment], route: Route)]

    private enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
    }

    init(_ routes: [Route]) {
        self.routes = routes.map { route in
            let segments = route.pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
                $0.first == "{" && $0.last == "}"
                    ? Segment.parameter(String($0.dropFirst().dropLast())) : Segment.literal(String($0))
            }
            return (segments, route)
        }
    }

    /// The first route in the order given whose pattern the path fits, with its parameters.
    func route(for target: RequestTarget) -> (route: Route, parameters: [String: String])? {
        for (segments, route) in routes {
            if let parameters = Self.match(segments, target.segments) { return (route, parameters) }
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
