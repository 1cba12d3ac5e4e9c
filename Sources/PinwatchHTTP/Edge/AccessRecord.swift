package import PinwatchCore

/// One answered request, for a log of accesses.
///
/// It holds nothing secret: no header, no body, and of the target the path alone, for a query may hold anything.
package struct AccessRecord: Sendable {
    package let method: String
    package let path: String
    /// The pattern of the route that answered; `nil` where none was found.
    package let route: String?
    package let status: Int
    /// Of the body, before any coding; 0 for a stream.
    package let bytes: Int
    package let address: IPAddress?
    package let isSecure: Bool
    /// From the whole request to its answer.
    package let duration: Duration

    init(request: Request, route: String?, status: Int, bytes: Int, duration: Duration) {
        method = String(request.method.prefix(16))
        path = Self.path(of: request)
        self.route = route
        self.status = status
        self.bytes = bytes
        address = request.peer
        isSecure = request.isSecure
        self.duration = duration
    }

    /// At most 200 characters of a request's path.
    static func path(of request: Request) -> String {
        String(request.target.prefix { $0 != "?" && $0 != "#" }.prefix(200))
    }

    /// The members of a line of a structured log; times in milliseconds.
    package var json: JSON {
        .object([
            ("method", .string(method)), ("path", .string(path)), ("route", .text(route)),
            ("status", .integer(Int64(status))), ("bytes", .integer(Int64(bytes))),
            ("client", .text(address?.description)), ("tls", .bool(isSecure)),
            ("ms", .number((duration / .milliseconds(1) * 1_000).rounded() / 1_000)),
        ])
    }
}
