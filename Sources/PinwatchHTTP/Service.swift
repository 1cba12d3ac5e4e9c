internal import PinwatchCore

/// The whole of the service's answers, without a socket: a request goes in, a response comes out.
///
/// The order of the edge is fixed: proxies, target, host, route, method, who asks, origin, `Content-Type`, `Accept`, rate,
/// handler, `If-None-Match`. Security headers go onto everything, refusals of the daemon included.
package struct Service: Sendable {
    private let context: ServiceContext
    private let router: Router
    private let files: StaticFiles
    private let hosts: HostRule
    private let origins: OriginRule
    private let forwarding: Forwarding
    private let authentication: Authentication
    private let writes = WriteLimit()
    private let meter = RequestMeter()

    package init(_ context: ServiceContext, files: StaticFiles) {
        self.context = context
        self.files = files
        hosts = HostRule(listen: context.listen, publicURL: context.publicURL)
        origins = OriginRule(publicURL: context.publicURL)
        forwarding = Forwarding(trusted: context.trustedProxies)
        let authentication = Authentication(context)
        self.authentication = authentication
        router = Router(Resources.routes(context, authentication, meter))
    }

    /// How many bytes are kept of the body of a request with this method and target; `nil` if none is of use.
    package func bodyLimit(method: String, target: String) -> Int? {
        guard let method = Method(rawValue: method), let target = try? RequestTarget(target),
            let route = router.match(target)?.routes[method]
        else { return nil }
        return switch route.body {
        case .none: nil
        case .json(let limit): limit
        }
    }

    /// Answers one request; never throws, for what goes wrong is an answer too.
    package func respond(to request: Request) async -> Response {
        let start = ContinuousClock.now
        let request = forwarding.resolve(request)
        let (response, route) = await answer(request)
        let duration = ContinuousClock.now - start
        meter.count(response.status, route: route, duration: duration)
        context.access(
            AccessRecord(
                request: request, route: route?.pattern, status: response.status, bytes: response.body.count,
                duration: duration))
        return secured(response, isSecure: request.isSecure)
    }

    /// The answer to a request that cannot be read as far as its handler, such as one with too large a body.
    package func refuse(_ problem: Problem) -> Response {
        meter.count(problem.status, route: nil)
        return secured(Self.response(to: problem), isSecure: false)
    }

    private func secured(_ response: Response, isSecure: Bool) -> Response {
        response.adding(isSecure ? SecurityHeaders.all + [SecurityHeaders.strictTransport] : SecurityHeaders.all)
    }

    private static func response(to problem: Problem) -> Response {
        problem.response.adding([.init("Cache-Control", "no-store")])
    }

    /// The answer, and the route that gave it if one was found.
    private func answer(_ request: Request) async -> (Response, Route?) {
        do {
            if request.target == "*" {
                try hosts.check(request, authority: nil)
                return (try other(request, allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS"), nil)
            }
            let target = try RequestTarget(request.target)
            try hosts.check(request, authority: target.authority)
            guard let match = router.match(target) else { return (try file(request, target), nil) }
            let method = request.method == "HEAD" ? .get : Method(rawValue: request.method)
            guard let route = method.flatMap({ match.routes[$0] }) else {
                return (try other(request, allow: match.allow), nil)
            }
            return (await answer(request, target, match, route), route)
        } catch {
            return (Self.response(to: error), nil)
        }
    }

    private func answer(
        _ request: Request, _ target: RequestTarget, _ match: Router.Match, _ route: Route
    ) async -> Response {
        do {
            guard context.isUp() || route.isHealth else { throw Problem.notUp }
            let call = Call(
                request: request, target: target, parameters: match.parameters,
                principal: try await admit(request, target, route), address: request.peer, now: context.clock())
            let response = try await route.answer(call).adding([.init("Cache-Control", "no-store")])
            guard response.stream == nil else { return response }
            return EntityTag.apply(to: response, request, sha256: context.sha256)
        } catch let problem as Problem {
            return Self.response(to: problem)
        } catch let refusal as StoreRefusal {
            return Self.response(to: Problem(refusal))
        } catch is CancellationError {
            return Self.response(
                to: Problem(503, "The service is stopping, or the answer took too long. Try again later."))
        } catch {
            let id = context.report(error, by: request)
            if let reason = context.passing(error) {
                return Self.response(
                    to: Problem(
                        503, "Nothing was changed: \(reason). Try again once that is mended.",
                        headers: [.init("Retry-After", "30")]))
            }
            return Self.response(
                to: Problem(500, "Something went wrong here. The service's log has it under the id \(id)."))
        }
    }

    /// Who asks, once it is clear that they may, and that the request is one that its handler can read.
    private func admit(_ request: Request, _ target: RequestTarget, _ route: Route) async throws -> Principal? {
        let principal = try await authentication.principal(of: request, for: route.access)
        if route.method.isWrite {
            try origins.check(request, authority: target.authority, via: principal?.via)
            try MediaType.check(request, method: route.method)
        }
        if let type = route.produces { try Accept.check(request, offers: type) }
        if route.method.isWrite { try writes.take(principal, from: request.peer, now: context.clock()) }
        return principal
    }

    private func file(_ request: Request, _ target: RequestTarget) throws(Problem) -> Response {
        guard let file = files.file(at: target.segments) else {
            throw Problem(404, "There is nothing at this path. The API is under /api/v1.")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return try other(request, allow: "GET, HEAD, OPTIONS")
        }
        return file.response(to: request)
    }

    /// The answer to a method that the path has no route for.
    private func other(_ request: Request, allow methods: String) throws(Problem) -> Response {
        let allow = Response.Header("Allow", methods)
        guard request.method == "OPTIONS" else {
            throw Problem(405, "This path takes \(methods).", headers: [allow])
        }
        return Response(status: 204, headers: [allow])
    }
}

extension Problem {
    fileprivate static let notUp = Problem(
        503, "The service is starting or stopping. Try again in a moment.", headers: [.init("Retry-After", "5")])
}

extension ServiceContext {
    /// Writes an error to the log that nobody foresaw.
    ///
    /// - Returns: The id under which it stands there.
    func report(_ error: any Error, by request: Request) -> String {
        let id = errorID()
        log("error \(id): \(request.method) \(AccessRecord.path(of: request)): \(error)")
        return id
    }
}
