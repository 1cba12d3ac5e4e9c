/// What the library's callbacks need, apart from the daemon's handle: it outlives the daemon.
final class ServerCore: Sendable {
    let limits: ServerLimits
    let connections: Connections
    let respond: @Sendable (Request) async -> Response
    private let refusal: @Sendable (Problem) -> Response

    init(
        limits: ServerLimits, respond: @escaping @Sendable (Request) async -> Response,
        refuse: @escaping @Sendable (Problem) -> Response
    ) {
        self.limits = limits
        connections = Connections(limits: limits)
        self.respond = respond
        refusal = refuse
    }

    /// The answer to a request that is not computed.
    ///
    /// - Parameter closing: Whether the connection ends with it, as where part of the request was left unread.
    func refuse(_ problem: Problem, closing: Bool) -> Response {
        let response = refusal(problem)
        return closing ? response.adding([.init("Connection", "close")]) : response
    }

    /// Judges a request by its headers.
    ///
    /// - Returns: The refusal, if any, and whether the body should be read past before it is given: a peer that is
    ///   busy sending does not read, so an early answer would be lost in the reset.
    func refusal(of connection: Connection, isTargetTooLong: Bool) -> (problem: Problem?, isBodyRead: Bool) {
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
        guard let size = Int(length), size <= limits.swallowed else { return (.bodyTooLarge(limits), false) }
        return size > limits.body ? (.bodyTooLarge(limits), values("expect").isEmpty) : (nil, true)
    }
}

extension Problem {
    static func bodyTooLarge(_ limits: ServerLimits) -> Problem {
        Problem(413, "The request's body is larger than \(limits.body) bytes.")
    }

    static let stopping = Problem(
        503, "The service is stopping. Try again in a moment.", headers: [.init("Retry-After", "5")])
}
