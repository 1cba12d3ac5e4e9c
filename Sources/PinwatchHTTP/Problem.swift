package import PinwatchCore

/// An answer that is not the one hoped for, as RFC 9457 problem details.
package struct Problem: Error, Sendable, Hashable {
    /// One field of the request at fault, and what it may be instead.
    package struct FieldError: Sendable, Hashable {
        package let field: String
        package let message: String
        package init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    package let status: Int
    /// Sentences for a person: what was asked, why it is refused, what to do.
    package let detail: String
    package let errors: [FieldError]
    /// Headers that the status calls for, such as `Allow` or `WWW-Authenticate`.
    package let headers: [Response.Header]
    /// The pin set that stands in the way.
    package let pinSetID: String?

    package init(
        _ status: Int, _ detail: String, errors: [FieldError] = [], headers: [Response.Header] = [],
        pinSetID: String? = nil
    ) {
        self.status = status
        self.detail = detail
        self.errors = errors
        self.headers = headers
        self.pinSetID = pinSetID
    }

    package init(_ refusal: StoreRefusal) {
        self.init(
            400, "The request's \(refusal.field) cannot be used: \(refusal.message)",
            errors: [FieldError(field: refusal.field, message: refusal.message)])
    }

    /// `application/problem+json`. The type is `about:blank`, so the title is the status's own phrase (section 4.2.1).
    package var response: Response {
        var members: [(String, JSON)] = [
            ("type", .string("about:blank")), ("title", .string(Self.phrase(status))),
            ("status", .integer(Int64(status))), ("detail", .string(detail)),
        ]
        if !errors.isEmpty {
            let list = errors.map { JSON.object([("field", .string($0.field)), ("message", .string($0.message))]) }
            members.append(("errors", .array(list)))
        }
        if let pinSetID { members.append(("pin_set_id", .string(pinSetID))) }
        return Response(status: status, type: "application/problem+json", body: JSON.object(members).bytes)
            .adding(headers)
    }

    /// The reason phrases of RFC 9110 section 15 and RFC 6585 for the statuses that are given here.
    private static func phrase(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
