/// What is the same for all daemons of one server.
struct ServerHandlers: Sendable {
    let limits: ServerLimits
    let bodies: BodyBudget
    let respond: @Sendable (Request) async -> Response
    let refuse: @Sendable (Problem) -> Response
    let bodyLimit: @Sendable (_ method: String, _ target: String) -> Int?
}

/// What the library's callbacks need, apart from the daemon's handle: it outlives the daemon.
final class ServerCore: Sendable {
    private let handlers: ServerHandlers
    let connections: Connections
    /// Whether its port speaks TLS.
    let isSecure: Bool

    init(_ handlers: ServerHandlers, isSecure: Bool) {
        self.handlers = handlers
        self.isSecure = isSecure
        connections = Connections(limits: handlers.limits)
    }

    var limits: ServerLimits { handlers.limits }
    var bodies: BodyBudget { handlers.bodies }

    func respond(_ request: Request) async -> Response { await handlers.respond(request) }

    /// How many bytes are kept of the body of a request to `target`; `nil` if it has no use for one.
    func bodyLimit(_ method: String, _ target: String) -> Int? { handlers.bodyLimit(method, target) }

    /// The answer to a request that is not computed.
    ///
    /// - Parameter closing: Whether the connection ends with it, as where part of the request was left unread.
    func refuse(_ problem: Problem, closing: Bool) -> Response {
        let response = handlers.refuse(problem)
        return closing ? response.adding([.init("Connection", "close")]) : response
    }

    /// Judges a request by its headers.
    ///
    /// - Parameter limit: Bytes that its body may have.
    /// - Returns: The refusal, if any, and whether the body should be read past before it is given: a peer that is
    ///   busy sending does not read, so an early answer would be lost in the reset.
    func refusal(
        of connection: Connection, isTargetTooLong: Bool, limit: Int
    ) -> (problem: Problem?, isBodyRead: Bool) {
        if isTargetTooLong {
            return (Problem(414, "The request target is longer than \(limits.target) bytes."), false)
        }
        guard connection.headerSize <= limits.headers else {
            return (Problem(431, "The request's headers are larger than \(limits.headers) bytes."), false)
        }
        let headers = connection.headers
        func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
        let lengths = values("content-length")
        guard let length = lengths.first else { return (nil, true) }
        // Two framings of one body are how requests are smuggled past a proxy (RFC 9112 section 6.3).
        guard lengths.count == 1, values("transfer-encoding").isEmpty,
            length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return (Problem(400, "A request's body must have one length, given in one way."), false) }
        guard let size = Int(length), size <= limits.swallowed else { return (.bodyTooLarge(limit), false) }
        return size > limit ? (.bodyTooLarge(limit), values("expect").isEmpty) : (nil, true)
    }
}

extension Problem {
    static let stopping = Problem(
        503, "The service is stopping. Try again in a moment.", headers: [.init("Retry-After", "5")])
}
