internal import PinwatchCore

/// The whole of the service's answers, without a socket: a request goes in, a response comes out.
///
/// The order of the edge is fixed: host, target, route, method, bearer, `Accept`, handler, `If-None-Match`. Security
/// headers go onto everything, refusals of the daemon included.
package struct Service: Sendable {
    private let context: ServiceContext
    private let router: Router
    private let files: StaticFiles
    private let hosts: HostRule
    private let authentication: Authentication
    private let counts = RequestCounts()

    package init(_ context: ServiceContext, files: StaticFiles) {
        self.context = context
        self.files = files
        hosts = HostRule(listen: context.listen, publicURL: context.publicURL)
        authentication = Authentication(context)
        router = Router(Resources.routes(context, counts))
    }

    /// Answers one request; never throws, for what goes wrong is an answer too.
    package func respond(to request: Request) async -> Response {
        do {
            return finish(try await answer(request))
        } catch let problem as Problem {
            return refuse(problem)
        } catch let refusal as StoreRefusal {
            return refuse(Problem(refusal))
        } catch is CancellationError {
            return refuse(Problem(503, "The service is stopping, or the answer took too long. Try again later."))
        } catch {
            let id = context.errorID()
            context.log("error \(id): \(request.method) \(request.target.prefix(200)): \(error)")
            return refuse(Problem(500, "Something went wrong here. The service's log has it under the id \(id)."))
        }
    }

    /// The answer to a request that cannot be read as far as its handler, such as one with too large a body.
    package func refuse(_ problem: Problem) -> Response {
        var response = problem.response
        response.headers.append(Response.Header("Cache-Control", "no-store"))
        return finish(response)
    }

    private func finish(_ response: Response) -> Response {
        counts.count(response.status)
        return response.adding(SecurityHeaders.all)
    }

    private func answer(_ request: Request) async throws -> Response {
        if request.target == "*" {
            try hosts.check(request, authority: nil)
            return try other(request, allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS")
        }
        let target = try RequestTarget(request.target)
        try hosts.check(request, authority: target.authority)
        guard let match = router.match(target) else { return try file(request, target) }
        let method = request.method == "HEAD" ? .get : Method(rawValue: request.method)
        guard let route = method.flatMap({ match.routes[$0] }) else { return try other(request, allow: match.allow) }
        let principal = try await authentication.principal(of: request, for: route.access)
        if let type = route.produces { try Accept.check(request, offers: type) }
        let call = Call(
            request: request, target: target, parameters: match.parameters, principal: principal,
            address: request.peer, now: context.clock())
        var response = try await route.answer(call)
        response.headers.append(Response.Header("Cache-Control", "no-store"))
        return EntityTag.apply(to: response, request, sha256: context.sha256)
    }

    private func file(_ request: Request, _ target: RequestTarget) throws(Problem) -> Response {
        guard let file = files.file(at: target.segments) else {
            throw Problem(404, "There is nothing at this path. The API is under /api/v1.")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return try other(request, allow: "GET, HEAD, OPTIONS")
        }
        return EntityTag.apply(to: file.response, request, tag: file.tag)
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
